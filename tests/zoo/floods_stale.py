"""Answers a turn of long ago, for ever."""

from _speak import play, turns

for turn in turns():
    while True:
        play({**turn, "id": 0})
