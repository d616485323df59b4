"""Joins with a name that has no end."""

from _speak import write

write(b'{"type": "join", "protocol": 1, "name": "')
while True:
    write(b"long" * 1000)
