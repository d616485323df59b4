"""Says what is wrong with it on standard output, where a `join` is expected."""

from _speak import live_on, write

write(b"Error: can't find weights.bin, tried 3 folders\n")
live_on()
