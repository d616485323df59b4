"""Seeds: one deal for a block, one seed of its own for every bot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.record.seeds import block_of, bot_seed, deal_seed


def test_seeds_do_not_change_from_release_to_release() -> None:
    assert deal_seed(1, "0-0") == 2999647669327712
    assert bot_seed("0-0", 0, {"pile": 12}) == 6937366639804863


def test_the_matches_of_a_block_share_their_deal() -> None:
    assert deal_seed(1, "12-0") == deal_seed(1, "12-1")
    assert len({deal_seed(seed, f"{block}-0") for seed in range(10) for block in range(10)}) == 100


def test_every_bot_has_its_own_seed() -> None:
    seeds = {bot_seed(f"{block}-{k}", seat, None) for block in range(5) for k in range(5) for seat in range(4)}
    assert len(seeds) == 100
    assert not seeds & {deal_seed(1, f"{block}-0") for block in range(5)}


def test_other_things_seen_give_another_seed() -> None:
    assert bot_seed("0-0", 0, {"hand": ["macehual"]}) != bot_seed("0-0", 0, {"hand": ["otomitl"]})


@given(st.text(min_size=1), st.integers(0, 10**6))
def test_a_block_may_be_called_anything(block: str, k: int) -> None:
    assert block_of(f"{block}-{k}") == block


@pytest.mark.parametrize("match", ["", "-", "-1", "12", "12-", "12-x", "12-²", "12-0 "])
def test_what_is_no_match_id(match: str) -> None:
    with pytest.raises(ValueError, match="is no match id"):
        deal_seed(1, match)
