"""What tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every run and every machine, and no verdict that depends on how busy the machine is.
settings.register_profile("project", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("project")


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return Path(__file__).resolve().parent.parent
