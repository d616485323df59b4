"""What of the program comes as an extra, and how somebody who lacks one gets it."""

from __future__ import annotations

import shlex
import sys


def how_to_install(extra: str) -> str:
    """The command line that adds an extra to the Python that runs, whoever's `pip` is first in the PATH.

    The name alone does it in a checkout too: pip finds the program installed there, and adds what the extra wants.
    """
    return shlex.join([sys.executable, "-m", "pip", "install", f"mexica[{extra}]"])
