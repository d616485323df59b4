"""Chance that is the same on every machine and under every Python version.

`random.Random(seed).random()` is the one method whose sequence Python promises to keep; everything here is made of it.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A source of chance that follows from a seed (0 or more) and nothing else."""

    def __init__(self, seed: int) -> None:
        self._next = random.Random(seed).random

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely."""
        return int(self._next() * n)

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order (Fisher-Yates, from the last place down)."""
        mixed = list(items)
        for place in range(len(mixed) - 1, 0, -1):
            other = self.below(place + 1)
            mixed[place], mixed[other] = mixed[other], mixed[place]
        return mixed


def derive_seed(*parts: object) -> int:
    """A seed of 53 bits (safe in JSON) from the texts of `parts`: unrelated for any two different lists of parts."""
    text = json.dumps([str(part) for part in parts])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big") >> 3
