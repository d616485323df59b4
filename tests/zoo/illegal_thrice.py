"""Plays the action on its command line, which is never legal."""

import sys

from _speak import play, turns

for turn in turns():
    play(turn, sys.argv[1])
