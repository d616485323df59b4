"""Prints what it sees among its answers."""

from _speak import play, turns, write

for turn in turns():
    write(b"   a b c\n 1 . X .\n 2 . . O\n")
    play(turn)
