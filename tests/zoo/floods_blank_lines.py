"""Answers its turn with blank lines, for ever."""

from _speak import turns, write

for _ in turns():
    while True:
        write(b"\n" * 4096)
