"""Answers with half of a surrogate pair, which JSON can spell and UTF-8 can't hold."""

from _speak import turns, write

for turn in turns():
    write(b'{"type": "play", "id": %d, "actions": ["\\ud83d"]}\n' % turn["id"])
