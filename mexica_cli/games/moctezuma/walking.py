"""Going through all effects of a card, whatever they are nested in."""

from __future__ import annotations

from collections.abc import Iterator

from mexica_cli.games.moctezuma.cards import AnyCard, Conquistador, GodCard, Unit
from mexica_cli.games.moctezuma.language import AnyStep, Either, If, Influence, Offer, Steps, Together, Trigger
from mexica_cli.games.tomlfile import FieldPath


def effects(card: AnyCard) -> Iterator[tuple[FieldPath, Steps]]:
    """Every effect of a card, with the field it is in."""
    match card:
        case Unit():
            yield ("cost",), card.cost
            yield ("use",), card.use
        case GodCard():
            yield ("sacrifice",), card.sacrifice
        case Conquistador():
            yield ("resolve",), card.resolve
    for index, trigger in enumerate(triggers(card)):
        yield ("trigger", index, "steps"), trigger.steps


def triggers(card: AnyCard) -> list[Trigger]:
    """What comes by itself."""
    return card.trigger if isinstance(card, Unit | GodCard) else []


def influences(card: AnyCard) -> list[Influence]:
    """What holds all the time."""
    return card.influence if isinstance(card, Unit | GodCard) else []


def walk(where: FieldPath, steps: Steps) -> Iterator[tuple[FieldPath, AnyStep]]:
    """Every step of an effect, those inside others after them."""
    for index, step in enumerate(steps):
        yield (*where, index), step
        for inner, nested in branches(step):
            yield from walk((*where, index, *inner), nested)


def branches(step: AnyStep) -> list[tuple[FieldPath, Steps]]:
    """The effects inside a step."""
    match step:
        case Either():
            return [(("options", index), option) for index, option in enumerate(step.options)]
        case If() | Offer():
            return [(("then",), step.then), (("else",), step.otherwise)]
        case Together():
            return [(("steps",), step.steps)]
    return []
