"""Hangs in its first turn, reads nothing more, and ignores SIGTERM."""

import signal

from _speak import live_on, turns

signal.signal(signal.SIGTERM, signal.SIG_IGN)
for _ in turns():
    live_on()
