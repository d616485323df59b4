"""What is right by itself in a rule set, field by field, and makes no sense together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from mexica_cli.games.mexica.rules import RuleSet
from mexica_cli.games.tomlfile import FieldError


def check(rules: RuleSet) -> None:
    """Refuse a rule set that contradicts itself. Raises FieldError."""
    for contradictions in (_temples, _neutral, _calpulli, _canals, _tokens, _end):
        for contradiction in contradictions(rules):
            raise contradiction


def _temples(rules: RuleSet) -> Iterator[FieldError]:
    first, second = rules.temples
    if len(first) != len(second):
        yield FieldError("temples", "both periods must list the same levels (write 0 where there are none)")
    if not sum(first):
        yield FieldError("temples", "the first period must have at least one temple")
    highest = max(level for level, numbers in enumerate(zip(first, second, strict=True), 1) if any(numbers))
    if highest > rules.most_ap:
        yield FieldError(
            "temples",
            f"a temple of level {highest} costs {highest} AP, and a turn never has more than {rules.most_ap};"
            " give lower temples or more action_points",
        )


def _neutral(rules: RuleSet) -> Iterator[FieldError]:
    if len(rules.neutral_temples) > rules.levels:
        yield FieldError("neutral_temples", f"there are only {rules.levels} levels; list at most that many numbers")
    total = _levels(rules.neutral_temples)
    if 0 < rules.neutral_levels < total:
        yield FieldError(
            "neutral_levels",
            f"the neutral_temples alone have {total} levels; give {total} or more, or 0 for just them",
        )
    if neutral_temples(rules) is None:
        yield FieldError(
            "neutral_levels",
            f"{_temples_in_words(_spare(rules))} are left of a colour's temples beside the neutral_temples, and none of"
            f" them make up the {rules.neutral_levels - total} levels that are missing; give another total, of at most"
            f" {total + _levels(_spare(rules))}",
        )


def neutral_temples(rules: RuleSet) -> tuple[int, ...] | None:
    """The neutral temples of a game of two by level; None where `neutral_levels` can't be made up (reading 18)."""
    listed = (*rules.neutral_temples, *(0,) * (rules.levels - len(rules.neutral_temples)))
    if not rules.neutral_levels:
        return listed
    more = _made_of(rules.neutral_levels - _levels(listed), _spare(rules))
    return None if more is None else tuple(map(sum, zip(listed, more, strict=True)))


def _spare(rules: RuleSet) -> tuple[int, ...]:
    """By level, what is left of the temples of both periods of a colour that gave the neutral ones."""
    both = map(sum, zip(*rules.temples, strict=True))
    listed = (*rules.neutral_temples, *(0,) * rules.levels)
    return tuple(max(0, number - gone) for number, gone in zip(both, listed, strict=False))


@cache
def _made_of(total: int, stock: tuple[int, ...]) -> tuple[int, ...] | None:
    """Temples by level, out of a stock by level, that have so many levels together: the highest that fit first."""
    if not stock:
        return None if total else ()
    level = len(stock)
    for number in range(min(stock[-1], total // level), -1, -1):
        lower = _made_of(total - number * level, stock[:-1])
        if lower is not None:
            return (*lower, number)
    return None


def _levels(temples: list[int] | tuple[int, ...]) -> int:
    return sum(level * number for level, number in enumerate(temples, 1))


def _temples_in_words(temples: tuple[int, ...]) -> str:
    return ", ".join(f"{number} of level {level}" for level, number in enumerate(temples, 1))


def _calpulli(rules: RuleSet) -> Iterator[FieldError]:
    if rules.first_calpulli >= len(rules.calpulli):
        most = len(rules.calpulli) - 1
        yield FieldError("first_calpulli", f"with {len(rules.calpulli)} tokens in `calpulli`, give at most {most}")
    if rules.found_cost > rules.most_ap:
        yield FieldError(
            "found_cost",
            f"nobody could ever found a district: a turn never has more than {rules.most_ap} AP; give at most that",
        )


def _canals(rules: RuleSet) -> Iterator[FieldError]:
    longest = max((length for length, number in enumerate(rules.canal_tiles, 1) if number), default=0)
    if rules.canal_cost == "space" and longest > rules.most_ap:
        yield FieldError(
            "canal_tiles",
            f"a tile of {longest} spaces costs {longest} AP, and a turn never has more than {rules.most_ap};"
            ' give shorter tiles or canal_cost = "tile"',
        )


def _tokens(rules: RuleSet) -> Iterator[FieldError]:
    if rules.action_tokens and not rules.tokens_per_turn:
        yield FieldError(
            "tokens_per_turn", "nobody could ever take one of the action_tokens; give 1 or more, or action_tokens = 0"
        )
    if rules.teleport != "off" and rules.teleport_cost > rules.most_ap:
        yield FieldError(
            "teleport_cost",
            f'a turn never has more than {rules.most_ap} AP; give at most that, or teleport = "off"',
        )


def _end(rules: RuleSet) -> Iterator[FieldError]:
    if not rules.stall_rounds and not rules.round_limit:
        yield FieldError("round_limit", "with stall_rounds = 0 too, a game might never end; give one of them 1 or more")
