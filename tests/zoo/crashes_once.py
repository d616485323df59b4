"""Crashes in its first turn, unless the file on its command line is there, which it makes: then it plays well."""

import sys
from pathlib import Path

from _speak import play, turns

files = [Path(name) for name in sys.argv[1:]]
warned = any(file.exists() for file in files)
for turn in turns():
    if not warned:
        for file in files:
            file.touch()
        raise RuntimeError("it was to be expected")
    play(turn)
