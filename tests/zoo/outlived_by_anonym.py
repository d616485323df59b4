"""Has a child in its process group that wears no mark: it has an empty environment, and outlives it.

With a file's name on its command line it writes down there which process that is.
"""

import os
import sys
from pathlib import Path

from _speak import play, turns

SLEEP = "import signal\nwhile True: signal.pause()"

child = os.posix_spawn(sys.executable, [sys.executable, "-S", "-c", SLEEP], {})
for name in sys.argv[1:]:
    Path(name).write_text(str(child), encoding="utf-8")
for turn in turns():
    play(turn)
