"""Forgets the line feed after its answer."""

from _speak import answer, messages, write

for message in messages():
    data = answer(message)
    write(data.rstrip() if message["type"] == "turn" else data)
