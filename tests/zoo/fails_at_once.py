"""Fails while it starts: a traceback, and exit code 1."""

raise RuntimeError("no weights in this folder")
