"""What people look at: tables, live lines, positions as text and as SVG, games told, pages, and games in a terminal.

`pictures` knows how each game is drawn as text, and `tellers` how it is told in words.
"""
