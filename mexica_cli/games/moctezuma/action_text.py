"""Actions as text: the words of the protocol, the log and the command line."""

from __future__ import annotations

from mexica_cli.games.game import BadAction, quoted
from mexica_cli.games.moctezuma import actions as act
from mexica_cli.games.moctezuma.variant import GODS, Variant

FORMS = {
    "keep": "keep",
    "exchange": "exchange CARD [CARD ...]",
    "play": "play CARD",
    "use": "use CARD",
    "sacrifice": "sacrifice CARD GOD",
    "pass": "pass",
    "hit": "hit CARD or hit CARD:DAMAGE",
    "redirect": "redirect",
    "take": "take PLACE [CARD]",
    "done": "done",
    "god": "god GOD",
    "seat": "seat NUMBER",
    "option": "option NUMBER",
}
"""How each kind is written; GOD is one of main, secondary, additional, quetzalcoatl."""

_MOST_EXCHANGED = 4
_NUMBERS = {str(number) for number in range(16)}


def write(variant: Variant, action: int) -> str:
    """The text of an action."""
    ids, kind, extra = variant.ids, act.kind(action), act.extra(action)
    word, card = act.KINDS[kind], ids[act.card(action)] if kind != act.EXCHANGE else ""
    match kind:
        case act.EXCHANGE:
            return " ".join([word, *(ids[number] for number in act.exchanged(action))])
        case act.PLAY | act.USE:
            return f"{word} {card}"
        case act.SACRIFICE:
            return f"{word} {card} {GODS[extra]}"
        case act.HIT:
            return f"{word} {card}{f':{extra}' if extra else ''}"
        case act.TAKE:
            return f"{word} {act.place(action)}" + (f" {card}" if extra & act.NAMED else "")
        case act.GOD:
            return f"{word} {GODS[extra]}"
        case act.SEAT | act.OPTION:
            return f"{word} {extra}"
    return word


def parse(variant: Variant, text: str) -> int:
    """The action of a text. Raises BadAction."""
    word, *args = text.split(" ")
    if word not in FORMS:
        raise BadAction("unknown_action", f"{quoted(word)} is no action; actions are {', '.join(FORMS)}")
    try:
        return _read(variant, act.KINDS.index(word), args)
    except ValueError:
        raise BadAction("malformed", f"{quoted(text)} is not of the form: {FORMS[word]}") from None


def _read(variant: Variant, kind: int, args: list[str]) -> int:
    match kind, args:
        case ((act.KEEP | act.PASS | act.REDIRECT | act.DONE), []):
            return kind
        case act.EXCHANGE, [*names] if 1 <= len(names) <= _MOST_EXCHANGED:
            return act.exchange(tuple(sorted(_card(variant, name) for name in names)))
        case ((act.PLAY | act.USE), [name]):
            return act.encode(kind, _card(variant, name))
        case act.SACRIFICE, [name, god]:
            return act.encode(kind, _card(variant, name), _god(god))
        case act.HIT, [target]:
            name, colon, damage = target.partition(":")
            return act.encode(kind, _card(variant, name), _number(damage, 1) if colon else 0)
        case act.TAKE, [where, *named] if where in act.TAKEN_FROM and len(named) < 2:
            return act.take(where, *(_card(variant, name) for name in named))
        case act.GOD, [god]:
            return act.encode(kind, 0, _god(god))
        case ((act.SEAT | act.OPTION), [number]):
            return act.encode(kind, 0, _number(number, 0))
    raise ValueError


def _card(variant: Variant, name: str) -> int:
    if name not in variant.numbers:
        raise BadAction("unknown_card", f"{quoted(name)} is no card's id")
    return variant.numbers[name]


def _god(name: str) -> int:
    if name not in GODS:
        raise BadAction("malformed", f"{quoted(name)} is no place of a god; places are {', '.join(GODS)}")
    return GODS.index(name)


def _number(text: str, least: int) -> int:
    if text not in _NUMBERS or int(text) < least:
        raise ValueError
    return int(text)
