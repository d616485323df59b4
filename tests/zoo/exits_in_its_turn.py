"""Ends in its turn, with exit code 0 and no word."""

import sys

from _speak import turns

for _ in turns():
    sys.exit()
