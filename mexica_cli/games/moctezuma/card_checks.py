"""What must hold in a card set beyond the form of each card. Everything raises FieldError, with the card's id."""

from __future__ import annotations

from collections.abc import Iterator

from mexica_cli.games.moctezuma.cards import COUNTS, AnyCard, CardSet, Conquistador, GodCard, Unit, cards_of, copies
from mexica_cli.games.moctezuma.language import (
    WORDS,
    Attack,
    Cards,
    Condition,
    Draw,
    Either,
    Fortress,
    If,
    Leave,
    Move,
    Offer,
    Sacrifice,
    Step,
    Together,
)
from mexica_cli.games.moctezuma.rules import LONGEST_LINE
from mexica_cli.games.moctezuma.walking import effects, influences, triggers, walk
from mexica_cli.games.tomlfile import FieldError, FieldPath

MEXICA_PLACES = ("battlefield", "hand", "mictlan", "removed", "eagles", "deck_top", "deck_bottom", "deck")
"""Where Mexica cards lie; all other places are for conquistadors."""
_GROUPS = {"any", *WORDS}


def check(cards: CardSet) -> None:
    """Check a whole set."""
    _check_counts(cards)
    ids = _check_ids(cards)
    for where, card in _all(cards):
        _check_card(where, card, ids)
    _check_gods(cards)
    _check_fortress(cards)
    plain = sum(copies(card) for card in (*cards.conquistador, *cards.cortes) if not card.special)
    if plain < LONGEST_LINE:
        raise FieldError("conquistador", f"{plain} cards without `special` are too few for the beginner's deck")


def _all(cards: CardSet) -> Iterator[tuple[FieldPath, AnyCard]]:
    for group in COUNTS:
        for index, card in enumerate(cards_of(cards, group)):
            yield (group, index), card


def _check_counts(cards: CardSet) -> None:
    for group, wanted in COUNTS.items():
        found = sum(copies(card) for card in cards_of(cards, group))
        if found != wanted:
            raise FieldError(group, f"there are {found} cards, copies counted; the game has {wanted}")


def _check_ids(cards: CardSet) -> dict[str, str]:
    """Id to group. Parts of Quetzalcoatl and fortress cards aren't named anywhere, but have ids all the same."""
    ids: dict[str, str] = {}
    for where, card in _all(cards):
        if card.id in ids:
            raise FieldError((*where, "id"), f"{card.id}: another card has this id; give each its own")
        if card.id in _GROUPS:
            raise FieldError((*where, "id"), f"{card.id}: this word names a group of cards; give another id")
        ids[card.id] = str(where[0])
    return ids


def _check_card(where: FieldPath, card: AnyCard, ids: dict[str, str]) -> None:
    try:
        if isinstance(card, Unit):
            _check_unit(card)
        _check_tests(card, ids)
        for field, steps in effects(card):
            for path, step in walk(field, steps):
                _check_step(path, step, card, ids)
    except FieldError as error:
        reason = str(error).split(": ", 1)[1]
        raise FieldError((*where, *error.path), f"{card.id}: {reason}") from None


def _check_tests(card: AnyCard, ids: dict[str, str]) -> None:
    """Influences, and what triggers depend on."""
    for index, influence in enumerate(influences(card)):
        _check_cards(("influence", index, "cards"), influence.cards, ids)
        if influence.test:
            _check_cards(("influence", index, "if", "cards"), influence.test.cards, ids)
        if influence.test and influence.test.hurt and not isinstance(card, Unit):
            raise FieldError(("influence", index), "only a Mexica card can be hurt")
    for index, trigger in enumerate(triggers(card)):
        if trigger.test:
            _check_cards(("trigger", index, "if", "cards"), trigger.test.cards, ids)
        if not isinstance(card, Unit) and (trigger.when == "falls" or (trigger.test and trigger.test.hurt)):
            raise FieldError(("trigger", index), "only a Mexica card can be hurt or fall")
        if trigger.when == "falls" and any(isinstance(step, Leave) for _, step in walk((), trigger.steps)):
            raise FieldError(("trigger", index, "steps"), "who falls has left the battlefield already")


def _check_unit(card: Unit) -> None:
    if card.cost and not card.use:
        raise FieldError("cost", "there is no `use` that it would pay for")
    if card.extra_markers and "quetzalcoatl" not in (card.sacrifice_to or ["quetzalcoatl"]):
        raise FieldError("extra_markers", "`sacrifice_to` doesn't name quetzalcoatl")
    for index, step in enumerate(card.cost):
        payable = isinstance(step, Move) and step.source in {"hand", "battlefield", "mictlan"} and not step.up_to
        if not payable:
            raise FieldError(("cost", index), "a cost is a move from hand, battlefield or mictlan, without up_to")
    if len({step.source for step in card.cost if isinstance(step, Move)}) < len(card.cost):
        raise FieldError("cost", "two moves from one place; give one with a larger count")


def _check_step(where: FieldPath, step: Step, card: AnyCard, ids: dict[str, str]) -> None:
    if isinstance(step, Move | Offer | Sacrifice):
        _check_cards((*where, "cards"), step.cards, ids)
    if isinstance(step, Offer | Leave) and step.to not in MEXICA_PLACES:
        raise FieldError((*where, "to"), f"Mexica cards don't go to {step.to}")
    match step:
        case Move():
            _check_move(where, step)
        case If(test=Condition(hurt=True)):
            raise FieldError(
                (*where, "test", "hurt"), "only a `trigger` or `influence` can ask whether its unit is hurt"
            )
        case If():
            _check_cards((*where, "test", "cards"), step.test.cards, ids)
        case Fortress(points=0):
            raise FieldError((*where, "points"), "give a number of points, below 0 for a loss")
        case Together():
            _check_together(where, step)
    if reason := _misplaced(where, step, card):
        raise FieldError(where, reason)


def _misplaced(where: FieldPath, step: Step, card: AnyCard) -> str | None:
    """Why a step doesn't belong on a card, or in that field of it."""
    match step:
        case Leave() if not isinstance(card, Unit) or where[0] != "trigger":
            return "only a Mexica card can leave, and only by a `trigger`"
        case Sacrifice() if not isinstance(card, Unit) or where[0] != "use":
            return "only the `use` of a Mexica card can sacrifice"
        case Fortress(god="this") if not isinstance(card, GodCard):
            return 'god = "this" belongs on a god\'s card'
        case Attack() if not isinstance(card, Conquistador):
            return "only conquistadors attack"
    return None


def _check_move(where: FieldPath, step: Move) -> None:
    if (step.source in MEXICA_PLACES) != (step.to in MEXICA_PLACES):
        raise FieldError((*where, "to"), f"a card from {step.source} doesn't go to {step.to}: Mexica and conquistadors")
    if step.source == step.to:
        raise FieldError((*where, "to"), "the card is there already; name another place")
    unseen = step.source == "line_hidden" or step.source.endswith("_top")
    if unseen and step.cards != "any":
        raise FieldError((*where, "cards"), f"nobody can choose among cards of {step.source}; leave this out")
    if step.source == "hand" and step.cards != "any" and not step.up_to:
        # Else everybody would learn from a choice that isn't asked for what a hand doesn't hold.
        raise FieldError((*where, "up_to"), "some cards of a hand can't be demanded; write up_to = true")


def _check_together(where: FieldPath, together: Together) -> None:
    for path, step in walk((*where, "steps"), together.steps):
        chosen = (
            isinstance(step, Either | If | Offer | Sacrifice | Attack | Together)
            or (isinstance(step, Move) and not (step.source.endswith("_top") or step.source == "line_hidden"))
            or (isinstance(step, Fortress) and step.god == "chosen")
            or (isinstance(step, Draw) and step.who == "chosen")
        )
        if chosen:
            raise FieldError(path, "what happens together must leave nothing to choose, and hold no other steps")


def _check_cards(where: FieldPath, cards: Cards, ids: dict[str, str]) -> None:
    for word in [cards] if isinstance(cards, str) else cards:
        if word not in ids and word not in WORDS:
            raise FieldError(where, f"{word!r} is no card's id and none of {', '.join(WORDS)}")


def _check_gods(cards: CardSet) -> None:
    bringers = [index for index, god in enumerate(cards.god) if god.brings_god]
    if len(bringers) > 1:
        card = cards.god[bringers[1]]
        raise FieldError(("god", bringers[1], "brings_god"), f"{card.id}: there can be one additional god only")
    for index, god in enumerate(cards.quetzalcoatl):
        if god.brings_god or god.brings_eagles:
            raise FieldError(("quetzalcoatl", index), f"{god.id}: the power card brings nobody")


def _check_fortress(cards: CardSet) -> None:
    places = [card.god for card in cards.fortress]
    for index, card in enumerate(cards.fortress):
        if card.god in places[:index]:
            raise FieldError(("fortress", index, "god"), f"{card.id}: two fortress cards for the {card.god} god")
