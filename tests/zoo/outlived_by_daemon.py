"""Starts a daemon: a grandchild in a session of its own, which ignores SIGTERM and outlives it.

With a file's name on its command line it writes down there which process that is.
"""

import signal

from _speak import live_on, play, start_daemon, turns

if start_daemon():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    live_on()
for turn in turns():
    play(turn)
