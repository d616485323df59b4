"""Gives every answer twice."""

from _speak import answer, messages, write

for message in messages():
    write(answer(message) * (2 if message["type"] == "turn" else 1))
