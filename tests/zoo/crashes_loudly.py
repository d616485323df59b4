"""Ends in its turn with exit code 1, after nearly a megabyte on standard error."""

import sys

from _speak import complain, turns

for _ in turns():
    complain("thinking very hard " * 50_000)
    sys.exit("it is all over")
