"""The command line: one module a command, which parses arguments, calls the layers below, and prints.

`main` finds them. What several share is in `bots`, `game_options`, `logs`, `output`, `values` and `visiting`.
"""
