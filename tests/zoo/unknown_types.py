"""Says things that the protocol doesn't know."""

from _speak import play, send, turns

for turn in turns():
    send("thinking", depth=turn["id"])
    play(turn)
