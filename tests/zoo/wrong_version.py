"""Speaks protocol 99."""

from _speak import messages, send

for message in messages():
    if message["type"] == "hello":
        send("join", protocol=99, name="traveller")
