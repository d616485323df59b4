"""Answers its turn with messages nobody asked for, for ever."""

from _speak import send, turns

for _ in turns():
    while True:
        send("pong", id=0)
