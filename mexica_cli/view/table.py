"""A position of Moctezuma as text: gods and invocation, the siege line against the battlefield, hands and piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rich.text import Text

from mexica_cli.games.moctezuma import MoctezumaState
from mexica_cli.number_text import count
from mexica_cli.view.scene import NAME_CHARACTERS, Look, Scene, letter, seat_style, short_name

LABEL = 12
"""Columns of the words at the left."""
HIDDEN = "???"
"""A card that can't be seen."""
GOD_STYLE, FOE_STYLE, UNIT_STYLE, HURT_STYLE = "bold #c08a1e", "#d0493b", "#3f8f4f", "bold #d0493b"


def draw(scene: Scene, look: Look) -> Text:
    """The position as text; lines of many cards are broken at `look.width` columns."""
    state = scene.observation
    assert isinstance(state, MoctezumaState)
    lines = [
        *_head(state, scene.seats),
        Text(),
        *_row("gods", _gods(state, look), look.width),
        *_row("invocation", _invocation(state), look.width),
        Text(),
        *_row("siege line", _line(state), look.width),
        *_row("battlefield", _battlefield(state), look.width),
        *_row("wards", _wards(state), look.width),
        *_row("under way", _resolving(state), look.width),
        Text(),
        *_hands(scene, state, look.width),
        Text(),
        *_piles(state, look.width),
    ]
    return Text("\n").join(lines)


# ---- whose turn it is ----------------------------------------------------------------------------


def _head(state: MoctezumaState, names: list[str]) -> Iterator[Text]:
    yield Text(f"round {state.round}, {state.phase}; {state.difficulty}, {state.conquistadors} deck", "bold")
    if state.result is not None:
        won = "won" if state.result.won else "lost"
        why, points = state.result.reason.replace("_", " "), count(state.scores[0], "point")
        yield Text(f"the team has {won}: {why}, {points}", "bold")
    elif state.to_act is not None:
        yield Text(f"{letter(state.to_act)} {short_name(names[state.to_act])} to choose")


# ---- the table -----------------------------------------------------------------------------------


def _row(label: str, parts: Iterable[Text], width: int) -> Iterator[Text]:
    """A label with parts behind it, on as many lines as they need; nothing where there are no parts."""
    line = Text(f"{label:{LABEL}}", "dim")
    empty = True
    for part in parts:
        if not empty and line.cell_len + 2 + part.cell_len > width:
            yield line
            line, empty = Text(" " * LABEL), True
        line.append("" if empty else "  ")
        line.append_text(part)
        empty = False
    if not empty:
        yield line


def _gods(state: MoctezumaState, look: Look) -> Iterator[Text]:
    full, gone = ("■", "□") if look.unicode else ("#", ".")
    for god in state.gods:
        text = Text(god.card, GOD_STYLE)
        text.append(f" ({god.place}) ", "dim") if god.place != god.card else text.append(" ")
        text.append(full * god.fortress + gone * (god.first - god.fortress) + f" {god.fortress}")
        yield text


def _invocation(state: MoctezumaState) -> Iterator[Text]:
    parts = state.invocation
    yield Text(f"{parts.invoked} of {parts.invoked + parts.left} parts invoked")
    if parts.open is not None:
        yield Text(f"{parts.open} has {parts.markers} of {parts.value} markers", GOD_STYLE)


def _line(state: MoctezumaState) -> Iterator[Text]:
    if not state.line:
        yield Text("-")
    for soldier in state.line:
        text = Text(soldier.card or HIDDEN, "dim" if soldier.resolved else FOE_STYLE)
        if soldier.resolved:
            text.append(" done", "dim")
        elif soldier.card is not None and not soldier.face_up:
            text.append(" face down", "dim")
        yield text
    if state.extra:
        yield Text(f"and {state.extra} more next time", "dim")


def _battlefield(state: MoctezumaState) -> Iterator[Text]:
    if not state.battlefield:
        yield Text("-")
    for unit in state.battlefield:
        text = Text(unit.card, UNIT_STYLE)
        text.append(f" {unit.damage}/{unit.resistance}", HURT_STYLE if unit.damage else "")
        if unit.fresh:
            text.append(" new", "dim")
        yield text


def _wards(state: MoctezumaState) -> Iterator[Text]:
    return (Text(f"{points} against a {target}") for target, points in state.wards.items() if points)


def _resolving(state: MoctezumaState) -> Iterator[Text]:
    for effect in state.resolving:
        yield Text(f"{effect.card}: {effect.step}, {letter(effect.seat)} chooses")


# ---- the seats -----------------------------------------------------------------------------------


def _hands(scene: Scene, state: MoctezumaState, width: int) -> Iterator[Text]:
    for seat, name in enumerate(scene.seats):
        who = Text(">" if seat == state.to_act else " ")
        who.append(f" {letter(seat)} ", seat_style(seat))
        who.append(f" {short_name(name):{NAME_CHARACTERS}} ")
        cards = list(_row("", _hand(scene, state, seat), width - who.cell_len))
        yield who.append_text(cards[0][LABEL:])
        yield from (Text(" " * (NAME_CHARACTERS + 6)).append_text(line[LABEL:]) for line in cards[1:])


def _hand(scene: Scene, state: MoctezumaState, seat: int) -> Iterator[Text]:
    """The cards of a hand as far as they are shown, and how many the others are."""
    view = scene.views[seat] if scene.views else state
    assert isinstance(view, MoctezumaState)
    hand = state.hands[seat]
    if view.seat == seat and view.hand is not None and view.chosen is not None:
        yield from map(Text, view.hand)
        yield from (Text(card, "bold").append(" chosen", "dim") for card in view.chosen)
    else:
        yield from map(Text, hand.known)
        if hidden := hand.cards + hand.chosen - len(hand.known):
            yield Text(f"{hidden} hidden", "dim")
        if hand.chosen:
            yield Text(f"{hand.chosen} chosen", "dim")
    if not hand.cards and not hand.chosen:
        yield Text("no cards", "dim")


# ---- the piles -----------------------------------------------------------------------------------


def _piles(state: MoctezumaState, width: int) -> Iterator[Text]:
    for label, pile in (("deck", state.deck), ("siege deck", state.siege_deck)):
        known = (Text(f"{card} is number {int(place) + 1}") for place, card in pile.known.items())
        yield from _row(label, [Text(f"{pile.cards} cards"), *known], width)
    for label, cards in (
        ("mictlan", state.mictlan),
        ("reserve", state.reserve),
        ("removed", state.removed),
        ("eagles", state.eagles),
    ):
        yield from _row(label, _counted(cards), width)


def _counted(cards: list[str]) -> Iterator[Text]:
    return (Text(card if count == 1 else f"{card} x{count}") for card, count in sorted(Counter(cards).items()))
