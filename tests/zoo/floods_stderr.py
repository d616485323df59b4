"""Writes a megabyte to standard error before each answer."""

from _speak import complain, play, turns

for turn in turns():
    complain("thinking very hard " * 50_000)
    play(turn)
