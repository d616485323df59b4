"""Answers with two actions, a legal one and nonsense."""

from _speak import play, turns

for turn in turns():
    play(turn, turn["legal"][-1], "xyzzy")
