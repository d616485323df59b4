"""What holds in every position of every game of Mexica: nothing is lost, and nothing appears."""

from __future__ import annotations

from mexica_cli.games.mexica import MexicaGame, State
from mexica_cli.games.mexica.bits import regions


def assert_stock(on: MexicaGame, state: State) -> None:
    rules = on.variant.rules
    dug = (state.canals & ~on.variant.board.canals).bit_count()
    gone = [start - left for start, left in zip(rules.canal_tiles, state.tiles, strict=True)]
    assert sum(length * number for length, number in enumerate(gone, 1)) == dug
    assert state.land | state.canals == on.variant.board.land | on.variant.board.canals
    assert not state.land & state.canals
    assert not state.bridges_h & state.bridges_v
    assert not (state.bridges_h | state.bridges_v) & ~state.canals
    assert state.bridge_supply + len(state.observation(None).bridges) == rules.bridges
    assert state.bridge_supply >= 0
    assert state.token_supply + sum(state.action_tokens) == rules.action_tokens
    for hand, built in zip(state.hands, state.built, strict=False):
        given_so_far = [sum(column) for column in zip(*rules.temples[: state.period], strict=True)]
        assert [left + mask.bit_count() for left, mask in zip(hand, built, strict=True)] == given_so_far
    every = [mask for built in state.built for mask in built]
    assert sum(mask.bit_count() for mask in every) == state.temples.bit_count()


def assert_districts(state: State) -> None:
    stride = state.variant.board.stride
    assert sorted(regions(state.land, stride)) == sorted((*state.unfounded, *state.founded))
    assert state.calpulli.bit_count() == len(state.founded)
