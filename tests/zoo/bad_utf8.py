"""Answers in Latin-1."""

from _speak import turns, write

for turn in turns():
    write(f'{{"type": "play", "id": {turn["id"]}, "actions": ["temple à côté"]}}\n'.encode("latin-1"))
