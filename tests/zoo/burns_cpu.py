"""Thinks about its first turn for ever."""

from _speak import turns

for _ in turns():
    while True:
        pass
