"""Joins, and is never ready."""

from _speak import answer, messages, write

for message in messages():
    if message["type"] == "hello":
        write(answer(message))
