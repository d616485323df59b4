"""Plays well and doesn't leave: neither at `bye` nor at the end of its input."""

from _speak import live_on, play, turns

for turn in turns():
    play(turn)
live_on()
