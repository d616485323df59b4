"""Answers with ten million bytes and no line feed."""

from _speak import turns, write

for _ in turns():
    write(b"thinking..." * 1_000_000)
