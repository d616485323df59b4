"""Does a bot speak the protocol? The checker plays the arena, odd moments included, and says what is wrong and where.

Module by module, each using only those before it: `sources` (places in PROTOCOL.md), `dialogue` (the lines exchanged),
`finding` (what comes of a check), `manners` (how the arena may write its lines), `setting` (what is checked, and how),
`connection` (one bot at the other end), `match` (one match, hosted by the checker), `desk` (what a check works at),
`check` (what a check is), `joining`, `playing`, `refusals`, `oddities` and `leaving` (the checks), `catalogue` (all of
them, in order), `runner` (one bot through its checks) and `report` (findings as text).
"""
