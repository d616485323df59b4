"""Moctezuma told: its cards by name, its actions in words."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from mexica_cli.games.game import JsonDict
from mexica_cli.view.scene import letter
from mexica_cli.view.tellers.teller import Teller

GODS = {
    "main": "the main god",
    "secondary": "the secondary god",
    "additional": "the additional god",
    "quetzalcoatl": "Quetzalcoatl",
}
PLACES = {
    "battlefield": "the battlefield",
    "hand": "the hand",
    "mictlan": "Mictlan",
    "removed": "those out of the game",
    "eagles": "the eagle warriors",
    "deck": "the Mexica deck",
    "deck_top": "the top of the Mexica deck",
    "deck_bottom": "the bottom of the Mexica deck",
    "line": "the siege line",
    "line_open": "the siege line",
    "line_hidden": "the siege line, face down",
    "line_end": "the end of the siege line",
    "reserve": "the Reserve",
    "reserve_top": "the top of the Reserve",
    "siege_deck": "the conquistador deck",
    "siege_deck_top": "the top of the conquistador deck",
    "siege_deck_bottom": "the bottom of the conquistador deck",
}
ENDS = {
    "won": "Quetzalcoatl is invoked: the team has won",
    "quetzalcoatl_destroyed": "Quetzalcoatl has no fortress left: the team has lost",
    "siege_completed": "The siege line can't be laid any more: the team has lost",
    "moctezuma_in_mictlan": "Moctezuma is in Mictlan at the end of the round: the team has lost",
    "round_limit": "The last round that the rules allow is over: the team has lost",
}
PHASES = {"exchange": "The exchange of cards"}
GROUPS = ("warrior", "eagle", "moctezuma", "priest", "quetzalcoatl", "part", "god", "conquistador", "cortes")


class MoctezumaTeller(Teller):
    """Cards are called by their names."""

    units: ClassVar = {"turn": ["turn"], "phase": ["phase", "round"], "round": ["round"]}

    def __init__(self, options: dict[str, Any]) -> None:
        self._groups: dict[str, list[dict[str, Any]]] = options["cards"]
        self._cards: dict[str | None, dict[str, str]] = {
            card["id"]: {"name": card["name"], "group": group, "says": card.get("text", "")}
            for group in GROUPS
            for card in self._groups[group]
        }

    @property
    def setting(self) -> JsonDict:
        """The cards by id: name, group, and what they say."""
        return {**super().setting, "cards": self._cards}

    def state(self, observation: msgspec.Struct) -> JsonDict:
        """The observation."""
        shown: JsonDict = msgspec.to_builtins(observation)
        return shown

    def action(self, text: str) -> str:
        """An action in words."""
        word, *rest = text.split()
        match word, rest:
            case "exchange", cards:
                return f"exchanges {', '.join(map(self._name, cards))}"
            case (("play" | "use"), [card]):
                return f"{word}s {self._name(card)}"
            case "sacrifice", [card, god]:
                return f"sacrifices {self._name(card)} to {GODS[god]}"
            case "hit", [unit]:
                return f"lets {self._name(unit.partition(':')[0])} be hit"
            case "take", [place]:
                return f"takes a card from {PLACES[place]}"
            case "take", [place, card]:
                return f"takes {self._name(card)} from {PLACES[place]}"
            case "god", [god]:
                return f"chooses {GODS[god]}"
            case "seat", [seat]:
                return f"chooses {letter(int(seat))}"
            case "option", [number]:
                return f"chooses option {number}"
        return _PLAIN.get(text, text)

    def explain(self, name: str) -> str | None:
        """What the card of that id or name says."""
        for group in GROUPS:
            for card in self._groups[group]:
                if name.lower() in {card["id"], card["name"].lower()}:
                    return _card(group, card)
        return None

    def followed(self, entry: JsonDict) -> list[str]:
        """What followed, in a sentence."""
        match entry["what"]:
            case "phase":
                return [f"{PHASES.get(entry['phase'], entry['phase'].capitalize())}, round {entry['round']}"]
            case "moved":
                return [self._moved(entry)]
            case "drawn":
                return [f"{letter(entry['seat'])} draws {self._name(entry['card'])}"]
            case "shown":
                return [f"{self._name(entry['card'])} is shown ({PLACES[entry['place']]})"]
            case "resolves":
                return [f"{self._name(entry['card'])} attacks"]
            case "hit":
                return [f"{self._name(entry['card'])} is hit, damage {entry['damage']}"]
            case "siege_line":
                return [f"A new siege line: {', '.join(map(self._name, entry['cards']))}"]
            case "over":
                return [ENDS[entry["reason"]]]
        return self._of_gods(entry)

    def _of_gods(self, entry: JsonDict) -> list[str]:
        match entry["what"]:
            case "ward":
                return [f"The next {_points(entry['points'])} of damage to a {entry['against']} will do nothing"]
            case "warded":
                return ["A point of damage does nothing"]
            case "fortress":
                return [f"{_capital(GODS[entry['god']])} has {entry['left']} fortress left"]
            case "god_lost":
                return [f"{self._name(entry['card'])}, {GODS[entry['god']]}, is lost"]
            case "marker":
                return [f"Quetzalcoatl has {entry['markers']} of the markers that the open part needs"]
            case "invoked":
                return [f"{self._name(entry['card'])} is invoked"]
            case "extra":
                return [f"The next siege line is longer by {entry['cards']}"]
        return super().followed(entry)

    def _moved(self, entry: JsonDict) -> str:
        name, start, goal = self._name(entry["card"]), entry["from"], entry["to"]
        whose = f"{letter(entry['seat'])}'s {name}" if "seat" in entry else _capital(name)
        if goal == "removed":
            return f"{whose} leaves the game, from {PLACES[start]}"
        return f"{whose} comes from {PLACES[start]} to {PLACES[goal]}"

    def _name(self, card: str | None) -> str:
        return self._cards[card]["name"] if card in self._cards else "a card"


def _card(group: str, card: dict[str, Any]) -> str:
    """`Papalotl (papalotl), warrior, resistance 3: When the attacks are over ...`."""
    numbers = "".join(f", {field} {card[field]}" for field in ("resistance", "value") if field in card)
    text = card.get("text", "")
    return f"{card['name']} ({card['id']}), {group}{numbers}{f': {text}' if text else ''}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _points(number: int) -> str:
    return "point" if number == 1 else f"{number} points"


_PLAIN = {
    "keep": "keeps the hand",
    "pass": "passes",
    "redirect": "lets a god take the point of damage",
    "done": "takes no more",
}
