"""Has a daemon that takes memory: a process in a session of its own, whose parent has died."""

from _speak import live_on, start_daemon, turns

for _ in turns():
    if start_daemon():
        hoard = [bytearray(b"x") * (8 << 20) for _ in range(40)]
    live_on()
