"""Answers well, more than a second after the question."""

import time

from _speak import play, turns

for turn in turns():
    time.sleep(1.3)
    play(turn)
