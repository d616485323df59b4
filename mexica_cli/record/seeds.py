"""Where a match's chance comes from: hashes of the master seed and the match's id, never the order of play or the bots.

A match id is `<block>-<k>`. The matches of a block share their deal, so that the seats can be permuted over it. Blocks
share a deal where their ids end with the same `@<deal>`.
"""

from __future__ import annotations

import msgspec

from mexica_cli.games.chance import derive_seed


def block_of(match: str) -> str:
    """The block of a match id. Raises ValueError for a text that is no match id."""
    block, dash, k = match.rpartition("-")
    if not (block and dash and k.isdecimal() and k.isascii()):
        raise ValueError(f"{match!r} is no match id: that is <block>-<number>, like '12-0'")
    return block


def deal_of(block: str) -> str:
    """What a block's deal follows from: its id, or what stands after the `@` where several blocks share a deal."""
    return block.rpartition("@")[2]


def deal_seed(master: int, match: str) -> int:
    """The seed of the match's deal, for `Game.deal`: the same for all matches of a block. Raises ValueError."""
    return derive_seed(master, "deal", deal_of(block_of(match)))


def bot_seed(match: str, seat: int, seen: object) -> int:
    """The seed given to the bot in that seat for its own use; `seen` is the state that it is shown at the start.

    It follows from what the bot knows anyway. Made from the master seed, it could be found out which one that was, by
    trying, and with it everything that was dealt face down.
    """
    return derive_seed("bot", match, seat, msgspec.json.encode(seen).decode())
