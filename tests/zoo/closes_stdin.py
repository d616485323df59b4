"""Closes its input when it is asked, and lives on."""

import os

from _speak import live_on, play, turns

for turn in turns():
    os.close(0)
    play(turn)
    live_on()
