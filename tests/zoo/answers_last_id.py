"""Answers every turn with the id of the one before."""

from _speak import play, turns

for turn in turns():
    play({**turn, "id": turn["id"] - 1})
