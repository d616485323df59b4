"""Joins with a line that is cut off: no JSON."""

from _speak import messages, write

for message in messages():
    if message["type"] == "hello":
        write(b'{"type": "join", "protocol": 1, "name":\n')
