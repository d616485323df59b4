"""Tournaments: who meets whom, what the results add up to, and how sure one may be of it.

Module by module, each using only those before it: `blocks` (one deal in several seatings), `designs`, `results`,
`formats`, `matching`, `swiss` and `knockout` (who meets whom), `intervals`, `statistics`, `elo`, `bradley_terry`,
`links`, `ratings` and `sprt` (what games add up to), `fields`, `config`, `writing` and `trial` (the file of a
tournament), `directory`, `job`, `lost`, `worker`, `executors` and `runner` (playing it), `collection`, `summary` and
`plan` (what was played, out of which all reports are made), `report_lines`, `report_text`, `report_data` and
`report_table` (reports for programs and terminals), `markup`, `report_grid`, `report_figures`, `report_faults` and
`report_html` (the page).
"""
