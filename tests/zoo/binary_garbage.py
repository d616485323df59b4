"""Writes binary data, as a program does that speaks something else."""

from _speak import live_on, write

write(bytes(reversed(range(256))))
live_on()
