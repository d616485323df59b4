"""Starts a daemon: a grandchild in a session of its own, which ignores SIGTERM and outlives it.

With a file's name on its command line it writes down there which process that is.
"""

import os
import signal
import sys
from pathlib import Path

from _speak import live_on, play, turns

if (child := os.fork()) == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.setsid()
    if (daemon := os.fork()) == 0:
        live_on()
    for name in sys.argv[1:]:
        Path(name).write_text(str(daemon), encoding="utf-8")
    os._exit(0)
os.waitpid(child, 0)
for turn in turns():
    play(turn)
