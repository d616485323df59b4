"""The file of tokens: who is who. A line is a bot's name, a salt and the scrypt hash of its token, both in hex.

    ann 9f86d081884c7d65 5c0f...

The token itself is nowhere but with the bot. Hashing is slow on purpose, so it is done beside the event loop, two at a
time; a token once found right is remembered under a key of this process, so that coming back is fast.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import NamedTuple

import trio

from mexica_cli.games.tomlfile import FileError, plain
from mexica_cli.server.settings import NAME

TOKEN_BYTES = 32
SALT_BYTES = 16
COST = {"n": 1 << 14, "r": 8, "p": 1, "maxmem": 64 << 20}
"""Of scrypt: 16 MiB and some tens of milliseconds a token."""
AT_ONCE = 2
"""Tokens that are hashed at the same time: a crowd at the door doesn't take the machine."""


class _Secret(NamedTuple):
    salt: bytes
    digest: bytes


NOBODY = _Secret(b"\0" * SALT_BYTES, b"")
"""What the token of an unknown name is compared with, so that it takes as long as any other."""


def new_token() -> str:
    """A token for somebody."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_line(name: str, token: str) -> str:
    """The line of the file for a name and its token."""
    salt = secrets.token_bytes(SALT_BYTES)
    return f"{name} {salt.hex()} {_hash(token, salt).hex()}\n"


def keep_token(path: Path, name: str, token: str) -> bool:
    """Put a token into the file, in place of an older one of that name; whether there was one.

    The new file takes the old one's place at once, and nobody but its owner may read it. Raises FileError,
    OSError.
    """
    names = read_tokens(path) if path.exists() else {}
    others = [line for line in _lines(path) if line.split()[0] != name] if names else []
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.writelines([*(line + "\n" for line in others), token_line(name, token)])
    fresh.replace(path)
    return name in names


def read_tokens(path: Path) -> dict[str, _Secret]:
    """The hashes by name. Raises FileError with file, line and what would be right."""
    found: dict[str, _Secret] = {}
    for number, line in enumerate(_lines(path), 1):
        words = line.split()
        try:
            name, salt, digest = words
            if not NAME.fullmatch(name) or name in found:
                raise ValueError
            found[name] = _Secret(bytes.fromhex(salt), bytes.fromhex(digest))
        except ValueError:
            right = "a line is a name, which comes once, a salt and a hash; `mexica serve --new-token NAME` makes one"
            raise FileError(f"{path}, line {number}: {right}") from None
    return found


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: the tokens can't be read: {plain(error)}") from None


def _hash(token: str, salt: bytes) -> bytes:
    return hashlib.scrypt(token.encode(), salt=salt, dklen=32, **COST)


class Tokens:
    """The tokens of a server."""

    def __init__(self, secrets_by_name: dict[str, _Secret]) -> None:
        self._secrets = secrets_by_name
        self._key = secrets.token_bytes(32)
        self._known: dict[str, bytes] = {}
        self._hashing = trio.CapacityLimiter(AT_ONCE)

    async def accepts(self, name: str, token: str | None) -> bool:
        """Whether that is the token of that name. Compared in constant time; an unknown name takes as long as any."""
        given = token or ""
        quick = hmac.digest(self._key, f"{name}\0{given}".encode(), "sha256")
        if hmac.compare_digest(quick, self._known.get(name, b"")):
            return True
        secret = self._secrets.get(name, NOBODY)
        digest = await trio.to_thread.run_sync(_hash, given, secret.salt, limiter=self._hashing)
        right = hmac.compare_digest(digest, secret.digest)
        if right:
            self._known[name] = quick
        return right
