"""What bots for Mexica that play on the project's rules can share: ways, districts to carve, plans, and their worth.

    from mexica_cli.tactics.mexica.budget import Budget
    from mexica_cli.tactics.mexica.thinker import Thinker
    state = ...                      # a `mexica_cli.games.mexica.State` in which a seat has its turn
    thinker = Thinker()
    for line in thinker.turns(state, thinker.shapes(state), Budget(nodes=200), width=6, tries=12):
        print(line.utility, [state.text(action) for action in line.actions])

Module by module, each using only those before it: `ways` (where the pawn can get to), `outlook` (the points that every
seat may expect), `carving` (districts that could be cut out of the land), `plans` (a few actions with one purpose),
`budget` and `thinker` (whole turns), `pace` and `player` (the part of a bot around a search). A search knows no clock:
it asks its budget whether it may go on.
"""
