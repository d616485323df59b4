"""Plays well, and never stops printing when it is told to leave."""

from _speak import play, turns, write

for turn in turns():
    play(turn)
while True:
    write(b"one more thing\n" * 100)
