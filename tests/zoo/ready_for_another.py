"""Is ready for a match that nobody plays."""

from _speak import answer, messages, send, write

for message in messages():
    if message["type"] == "start":
        send("ready", match="the other one")
    else:
        write(answer(message))
