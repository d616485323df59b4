"""Leaves when it sees what is to be played."""

from _speak import answer, messages, send, write

for message in messages():
    if message["type"] == "start":
        send("quit")
    else:
        write(answer(message))
