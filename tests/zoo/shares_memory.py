"""Has workers which share its memory: all together take little more than one. They end with it."""

import os
import time

from _speak import play, turns

model = b"x" * (24 << 20)
theirs, ours = os.pipe()
for _ in range(4):
    if os.fork() == 0:
        os.close(ours)
        assert model.count(b"y") == 0
        os.read(theirs, 1)  # until nobody has the other end any more
        os._exit(0)
for turn in turns():
    time.sleep(0.05)
    play(turn)
