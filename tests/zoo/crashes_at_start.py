"""Crashes when the match begins."""

from _speak import answer, messages, write

for message in messages():
    if message["type"] == "start":
        raise KeyError("rules")
    write(answer(message))
