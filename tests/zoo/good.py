"""Nothing wrong: plays to the end and leaves when told."""

from _speak import play, turns

for turn in turns():
    play(turn)
