"""Starts a daemon that hides whose it is: no living parent, another session, and an environment without the mark.

With a file's name on its command line it writes down there which process that is.
"""

import os
import sys

from _speak import play, start_daemon, turns

SLEEP = "import signal\nwhile True: signal.pause()"

if start_daemon():
    os.execve(sys.executable, [sys.executable, "-S", "-c", SLEEP], {})
for turn in turns():
    play(turn)
