"""Plays well, and prints its statistics when it is told to leave."""

from _speak import play, turns, write

for turn in turns():
    play(turn)
write(b"nodes searched: 12345\nbye yourself\n")
