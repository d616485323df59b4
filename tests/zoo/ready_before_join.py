"""Says `ready` before it has joined."""

from _speak import messages, send

for message in messages():
    if message["type"] == "hello":
        send("ready", match="1-1")
