"""Sound play of Moctezuma from what a seat sees: `steward` plays by it, `council` where it imagines what follows.

    from mexica_cli.tactics.moctezuma.reckoning import Reckoning
    from mexica_cli.tactics.moctezuma.thumbs import choose
    state = ...                      # a `mexica_cli.games.moctezuma.State`, seen or imagined, in which a seat is asked
    action = choose(Reckoning(state.variant), state)

Module by module, each using only those before it: `reckoning` (what cards do, in numbers), `outlook` (what a position
is worth) and `thumbs` (rules of thumb that answer every question).
"""
