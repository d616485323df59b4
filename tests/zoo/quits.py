"""Leaves in mid-match, and says so."""

from _speak import play, send, turns

for number, turn in enumerate(turns()):
    if number == 1:
        send("quit")
    else:
        play(turn)
