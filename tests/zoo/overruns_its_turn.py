"""Goes on acting after its first turn is over: the action that ends a turn, twice in one answer. Then plays well."""

from _speak import play, turns

for number, turn in enumerate(turns()):
    play(turn, *(["end", "end"] if number == 0 else []))
