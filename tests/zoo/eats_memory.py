"""Takes memory in its turn, quickly."""

from _speak import live_on, turns

for _ in turns():
    hoard = [bytearray(b"x") * (8 << 20) for _ in range(40)]
    live_on()
