"""Has a daemon that takes memory: a process in a session of its own, whose parent has died."""

import os

from _speak import live_on, turns

for _ in turns():
    if (child := os.fork()) == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        hoard = [bytearray(b"x") * (8 << 20) for _ in range(40)]
        live_on()
    os.waitpid(child, 0)
    live_on()
