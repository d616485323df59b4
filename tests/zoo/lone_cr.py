"""Ends its answers with a carriage return alone."""

from _speak import answer, messages, write

for message in messages():
    data = answer(message)
    write(data.replace(b"\n", b"\r") if message["type"] == "turn" else data)
