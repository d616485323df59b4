"""Has a child in another process group that takes memory."""

import os

from _speak import live_on, turns

for _ in turns():
    if os.fork() == 0:
        os.setsid()
        hoard = [bytearray(b"x") * (8 << 20) for _ in range(40)]
    live_on()
