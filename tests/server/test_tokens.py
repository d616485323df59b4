"""The file of tokens."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from mexica_cli.games.tomlfile import FileError
from mexica_cli.server import tokens as module
from mexica_cli.server.tokens import Tokens, keep_token, new_token, read_tokens


@pytest.fixture(autouse=True)
def _fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing is slow on purpose; not here."""
    monkeypatch.setitem(module.COST, "n", 2)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tokens.txt"
    keep_token(path, "ann", "ann's secret")
    keep_token(path, "bob", "bob's secret")
    return path


async def test_only_the_right_token_of_that_name_is_accepted(file: Path) -> None:
    tokens = Tokens(read_tokens(file))
    assert await tokens.accepts("ann", "ann's secret")
    assert not await tokens.accepts("ann", "bob's secret")
    assert not await tokens.accepts("ann", None)
    assert not await tokens.accepts("ann", "")
    assert not await tokens.accepts("cyd", "ann's secret")
    assert await tokens.accepts("bob", "bob's secret")


async def test_a_token_once_found_right_is_not_hashed_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = Tokens(read_tokens(file))
    assert await tokens.accepts("ann", "ann's secret")
    monkeypatch.setattr(module, "_hash", lambda token, salt: b"")
    assert await tokens.accepts("ann", "ann's secret")
    assert not await tokens.accepts("ann", "another")


def test_the_file_tells_no_token_and_is_its_owners(file: Path) -> None:
    text = file.read_text()
    assert "secret" not in text
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_a_new_token_takes_the_old_ones_place(file: Path) -> None:
    assert keep_token(file, "ann", "newer")
    assert list(read_tokens(file)) == ["bob", "ann"]
    tokens = Tokens(read_tokens(file))
    assert await tokens.accepts("ann", "newer")
    assert not await tokens.accepts("ann", "ann's secret")
    assert await tokens.accepts("bob", "bob's secret")


def test_tokens_are_long_and_never_the_same() -> None:
    made = {new_token() for _ in range(100)}
    assert len(made) == 100
    assert min(map(len, made)) >= 40


@pytest.mark.parametrize("line", ["ann", "ann 00", "ann 00 11 22", "ann zz 00", "a/b 00 11", "bob 00 11"])
def test_a_wrong_line_is_named(file: Path, line: str) -> None:
    file.write_text(file.read_text() + line + "\n")
    with pytest.raises(FileError, match=r"line 3: .*--new-token"):
        read_tokens(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="can't be read"):
        read_tokens(tmp_path / "none")
