"""What the tests of protocol/ share: the folder, and the script that generates part of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import generate_protocol
import jsonschema
import msgspec
import pytest
import structlog


@pytest.fixture(scope="session")
def protocol(root: Path) -> Path:
    """The folder protocol/."""
    return root / "protocol"


@pytest.fixture(scope="session")
def generated() -> dict[str, bytes]:
    """All generated files as they should be, by their path in protocol/."""
    with structlog.testing.capture_logs():
        files: dict[str, bytes] = generate_protocol.files()
    return files


class Schema:
    """A schema of protocol/schema/, for whole lines."""

    def __init__(self, path: Path) -> None:
        self.document: dict[str, Any] = msgspec.json.decode(path.read_bytes())
        self._validator = jsonschema.Draft202012Validator(self.document)

    def accepts(self, line: Any) -> bool:
        """Whether a decoded line is right."""
        return self._validator.is_valid(line)

    def check(self, line: Any) -> None:
        """Raises jsonschema.ValidationError, which says what is wrong."""
        self._validator.validate(line)


@pytest.fixture(scope="session")
def schemas(protocol: Path) -> dict[str, Schema]:
    """The schemas on file, by name."""
    return {path.stem: Schema(path) for path in sorted((protocol / "schema").glob("*.json"))}
