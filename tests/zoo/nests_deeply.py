"""Answers with JSON that is nested more deeply than any parser likes."""

from _speak import turns, write

for turn in turns():
    write(b'{"type": "play", "id": %d, "actions": %s%s}\n' % (turn["id"], b"[" * 30000, b"]" * 30000))
