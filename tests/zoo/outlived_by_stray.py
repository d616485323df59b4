"""Starts a daemon that hides whose it is: no living parent, another session, and an environment without the mark.

With a file's name on its command line it writes down there which process that is.
"""

import os
import sys
from pathlib import Path

from _speak import play, turns

SLEEP = "import signal\nwhile True: signal.pause()"

if (child := os.fork()) == 0:
    os.setsid()
    if (daemon := os.fork()) == 0:
        os.execve(sys.executable, [sys.executable, "-S", "-c", SLEEP], {})
    for name in sys.argv[1:]:
        Path(name).write_text(str(daemon), encoding="utf-8")
    os._exit(0)
os.waitpid(child, 0)
for turn in turns():
    play(turn)
