"""Plays one turn, then ends with a traceback."""

from _speak import play, turns

for number, turn in enumerate(turns()):
    if number == 1:
        raise ValueError(f"can't think of anything for turn {turn['id']}")
    play(turn)
