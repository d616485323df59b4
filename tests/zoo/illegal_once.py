"""Plays nonsense once, then plays well."""

from _speak import play, turns

for number, turn in enumerate(turns()):
    play(turn, *(["xyzzy"] if number == 0 else []))
