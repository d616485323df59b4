"""What lies beside the board of Mexica: whose turn it is, what everybody has, what is left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.text import Text

from mexica_cli.games.mexica import MexicaState
from mexica_cli.view.districts import District
from mexica_cli.view.scene import NAME_CHARACTERS, letter, seat_style, short_name

WIDTH = 52
"""Columns of the list of districts."""
MAINLAND = 20
"""Land that isn't founded is left out of it from this size on: there are no such tokens."""


def panel(state: MexicaState, names: list[str], found: Mapping[str, District], legend: list[str]) -> list[Text]:
    """The lines of the panel; `names` by seat, `found` the districts."""
    return [
        Text(f"period {state.period}, round {state.round}", "bold"),
        _who(state, names),
        Text(),
        *_seats(state, names),
        Text(),
        *_stock(state),
        *_districts(found, len(names)),
        Text(),
        *(Text(line, "dim") for line in legend),
    ]


def _who(state: MexicaState, names: list[str]) -> Text:
    if state.to_act is None:
        return Text("the game is over")
    actor = f"{letter(state.to_act)} {short_name(names[state.to_act])}"
    match state.phase:
        case "place":
            return Text(f"{actor} places its pawn")
        case "vote" if state.vote:
            return Text(f"{actor} is asked: retire {state.vote.size}, as {letter(state.vote.by)} proposes?")
        case _:
            kept = f", {state.kept[state.to_act]} kept" if any(state.kept) else ""
            return Text(f"{actor} to act, {state.ap} AP left{kept}")


def _seats(state: MexicaState, names: list[str]) -> Iterator[Text]:
    """A table: what each seat has."""
    levels = range(1, len(state.hands[0]) + 1)
    hand = " ".join(f"{level:>2}" for level in levels)
    yield Text(f"{'':{NAME_CHARACTERS + 5}} points  tokens  temples {hand}", "bold")
    for seat, name in enumerate(names):
        line = Text(">" if seat == state.to_act else " ")
        line.append(f" {letter(seat)} ", seat_style(seat))
        hand = " ".join(f"{count:>2}" for count in state.hands[seat])
        line.append(f" {short_name(name):{NAME_CHARACTERS}} {state.scores[seat]:>6}  {state.action_tokens[seat]:>6}")
        line.append(f"{'':10}{hand}{_ordinal(state, seat)}")
        yield line


def _ordinal(state: MexicaState, seat: int) -> str:
    return "" if state.ranking is None else f"  place {state.ranking[seat]}"


def _stock(state: MexicaState) -> Iterator[Text]:
    yield Text(f"display  {_numbers(state.display)}")
    if state.later:
        yield Text(f"later    {_numbers(state.later)}")
    tiles = ", ".join(f"{count} of {length}" for length, count in enumerate(state.supply.canals, 1))
    yield Text(f"canals   {tiles}")
    yield Text(f"supply   {state.supply.bridges} bridges, {state.supply.action_tokens} action tokens")
    if state.quiet:
        yield Text(f"quiet    {state.quiet} rounds")


def _numbers(values: list[int]) -> str:
    return " ".join(map(str, values)) or "-"


def _districts(found: Mapping[str, District], players: int) -> Iterator[Text]:
    """Each as `f1:13 A2 B1`: cell, size, sums of temple levels, the holder's bold; in brackets what isn't founded."""
    line = Text("districts")
    for cell, district in found.items():
        if not district.founded and district.size >= MAINLAND:
            continue
        item = _district(cell, district, players)
        if line.cell_len + 2 + item.cell_len > WIDTH:
            yield line
            line = Text(" " * len("districts"))
        line.append("  ").append_text(item)
    if line.cell_len > len("districts"):
        yield line


def _district(cell: str, district: District, players: int) -> Text:
    text = Text(f"{'' if district.founded else '('}{cell}:{district.size}")
    for owner, levels in enumerate(district.grandeur):
        if levels:
            name = letter(owner) if owner < players else "N"
            text.append(" ").append(f"{name}{levels}", "bold" if owner in district.holders else "dim")
    return text.append("" if district.founded else ")")
