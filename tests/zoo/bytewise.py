"""Writes one byte at a time."""

from _speak import answer, messages, write

for message in messages():
    for byte in answer(message):
        write(bytes([byte]))
