"""Questions to game logs: tables of what they hold, statistics, and logs of some of their games.

All of it goes through a log once, line by line, in constant memory, and plays nothing again: what a line doesn't say,
like the AP of an action, is counted along by a `course`, one kind a game.

Module by module, each using only those before it: `course` (what is known of an action beyond its line),
`mexica_course` and `moctezuma_course`, `courses` (which game has which), `entries` (what followed, as points and
events), `walk` (through a log, game by game), `columns`, `rows` and `tables` (the tables and their files), `database`
(DuckDB), `export` (a folder of tables), `counts` and `report` (statistics), `selection` (logs of some games).
"""
