"""Joins without its name, which every `join` must have."""

from _speak import messages, send

for message in messages():
    if message["type"] == "hello":
        send("join", protocol=1)
