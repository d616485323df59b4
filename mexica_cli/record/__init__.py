"""The game log: one JSON object a line, the only truth about what was played."""
