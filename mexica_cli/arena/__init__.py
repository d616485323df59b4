"""Matches: bots brought to the table, lines to and from them, their time, the referee, and some games in a row.

Module by module, each using only those before it: `limits` and `faults` (what a bot may, and what goes wrong), `log`,
`interrupt`, `clock`, `heartbeat` (when the arena itself was late), `latency`, `channel` (lines to and from a bot) with
`inprocess`, `tcp`, `family`, `guard` and `process` (how they move), `seccomp` and `sandbox`, `spec` (which bot is
meant), `inside` (reference bots without a process), `player`, `greeting` and `bot` (a bot across games), `seat` (a bot
in one match), `audience`, `announcer` and `minutes` (what is told and written), `restore` (a match that was cut short),
`referee` (one match), `tally` (what results add up to), `host` (matches of one game), `series` (games of the same bots)
and `header` (of their log).
"""
