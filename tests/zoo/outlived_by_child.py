"""Has a child in its process group that ignores SIGTERM and outlives it.

With a file's name on its command line it writes down there which process that is.
"""

import os
import signal
import sys
from pathlib import Path

from _speak import live_on, play, turns

if (child := os.fork()) == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    live_on()
for name in sys.argv[1:]:
    Path(name).write_text(str(child), encoding="utf-8")
for turn in turns():
    play(turn)
