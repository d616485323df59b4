"""Write what is generated in docs/MEXICA.md: its pictures, what the rules engine says to each of them, and its tables.

Run it after a change to the rules, to docs/pictures/pictures.toml or to how boards are drawn:

    .venv/bin/python scripts/generate_docs.py

In the page, what lies between `<!-- generated: NAME -->` and `<!-- end -->` is replaced; the rest is written by hand.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from mexica_cli.games import load_game
from mexica_cli.games.game import Game, State
from mexica_cli.games.mexica import SHIPPED, MexicaState, bits
from mexica_cli.games.mexica.board import parse_board
from mexica_cli.games.mexica.observation import Cell
from mexica_cli.games.mexica.rule_files import RuleFile, find_rules
from mexica_cli.games.mexica.rules import RuleSet
from mexica_cli.games.mexica.scoring import values
from mexica_cli.view.scene import Scene, letter
from mexica_cli.view.svg import View, draw_svg
from mexica_cli.view.svg_marks import Arrow, Kind, Label, Marks, Outline

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

HOUSE = "**house**"
"""The mark of a rule of our own."""


class Picture(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A picture of docs/pictures/pictures.toml."""

    title: str
    text: str
    """What there is to see, for those who can't."""
    position: str
    """The position, in the notation of protocol/NOTATION.md."""
    window: tuple[Cell, Cell] | None = None
    """The part of the board that is shown."""
    tries: list[str] = []
    """Actions tried in the position, each by itself."""
    plays: list[str] = []
    """Actions done one after the other."""
    via: dict[str, list[Cell]] = {}
    """By action, the spaces between its ends where the arrow should bend."""
    shade: list[Cell] = []
    """The districts of these cells, as they are after `plays`, are shaded."""
    labels: list[tuple[str, Cell, Cell]] = []
    """Words, the space to write them on, the space that they are about."""

    @property
    def game(self) -> Game:
        """The game that the position is of."""
        return _game(self.position.split()[1].removeprefix("rules="))

    def start(self) -> State:
        """The position drawn."""
        return self.game.from_position(self.position)


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules engine says to an action."""

    action: str
    seat: int
    code: str | None
    """Why it is refused; None for a legal one."""
    reason: str
    cost: int | None
    """AP; None for actions that have no price or are refused."""
    followed: list[dict[str, Any]]


@cache
def _game(rules: str) -> Game:
    return load_game("mexica", rules)


@cache
def pictures() -> dict[str, Picture]:
    """All pictures, by name."""
    return msgspec.convert(tomllib.loads((DOCS / "pictures" / "pictures.toml").read_text()), dict[str, Picture])


# ---- what the engine says --------------------------------------------------------------------------------------------


def verdicts(picture: Picture) -> list[Verdict]:
    """The engine's answer to each action of a picture."""
    state = picture.start()
    return [judge(state.copy(), action) for action in picture.tries] + [
        judge(state, action) for action in picture.plays
    ]


def judge(state: State, text: str) -> Verdict:
    """The engine's answer to an action, which is then done where it is legal."""
    seat, action = state.to_act, state.parse(text)
    assert seat is not None
    illegal = state.why_illegal(action)
    if illegal:
        return Verdict(action=text, seat=seat, code=illegal.code, reason=illegal.reason, cost=None, followed=[])
    before = seen(state)
    followed = state.apply(action)
    priced = text.split(maxsplit=1)[0] not in ("end", "agree", "refuse", "place")
    cost = before.ap - seen(state).ap if priced else None
    return Verdict(action=text, seat=seat, code=None, reason="", cost=cost, followed=followed)


def seen(state: State) -> MexicaState:
    """The position as everybody sees it."""
    observation = state.observation(None)
    assert isinstance(observation, MexicaState)
    return observation


def district(game: Game, state: MexicaState, cell: Cell) -> list[Cell]:
    """The district of a space of land."""
    board = parse_board("\n".join(game.options()["board"]["rows"]), "board", "options")
    canals = sum(1 << board.numbers[canal] for canal in state.canals)
    return board.texts(bits.flood(1 << board.numbers[cell], board.land & ~canals, board.stride))


# ---- pictures --------------------------------------------------------------------------------------------------------


def svg(picture: Picture) -> str:
    """A picture, with a mark for each action: solid where it is legal, dashed and crossed out where it isn't."""
    state = picture.start()
    scene = Scene(observation=seen(state), options=picture.game.options(), seats=[])
    return draw_svg(
        scene, View(title=picture.title, description=picture.text, window=picture.window, marks=marks(picture))
    )


def marks(picture: Picture) -> Marks:
    """What is drawn above the position."""
    drawn = [
        mark
        for n, verdict in enumerate(verdicts(picture), 1)
        if (mark := _mark(seen(picture.start()), verdict, str(n), picture.via.get(verdict.action, [])))
    ]
    last = picture.start()
    for action in picture.plays:
        last.apply(last.parse(action))
    return Marks(
        shaded=[district(picture.game, seen(last), cell) for cell in picture.shade],
        outlines=[mark for mark in drawn if isinstance(mark, Outline)],
        arrows=[mark for mark in drawn if isinstance(mark, Arrow)],
        labels=[Label(words=words, at=at, about=about) for words, at, about in picture.labels],
    )


def _mark(state: MexicaState, verdict: Verdict, badge: str, via: list[Cell]) -> Outline | Arrow | None:
    kind: Kind = "bad" if verdict.code else "good"
    word, *arguments = verdict.action.split()
    cells = [argument for argument in arguments if re.fullmatch(r"[a-z]\d+", argument)]
    pawn = state.pawns[verdict.seat]
    if word in ("boat", "teleport") and pawn:
        return Arrow(cells=[pawn, *via, *cells], kind=kind, badge=badge)
    return Outline(cells=cells, kind=kind, badge=badge) if cells else None


# ---- blocks of the page ----------------------------------------------------------------------------------------------


def block(name: str) -> str:
    """What the page holds for a picture: the picture, and a table of what the engine says."""
    picture = pictures()[name]
    said = verdicts(picture)
    lines = [f"![{picture.text}](pictures/{name}.svg)"]
    if said:
        head = "in this order" if picture.plays else "action"
        lines += ["", f"| | {head} | AP | what the engine says |", "|---|---|---|---|"]
        lines += [_row(n, verdict) for n, verdict in enumerate(said, 1)]
    for verdict in said:
        for entry in verdict.followed:
            lines += ["", *_scored(entry)] if entry["what"] == "scored" else []
    return "\n".join(lines)


def _row(number: int, verdict: Verdict) -> str:
    cost = "–" if verdict.cost is None else verdict.cost
    told = f"refused, `{verdict.code}`: {verdict.reason}" if verdict.code else _followed(verdict.followed)
    return f"| {number} | {letter(verdict.seat)} `{verdict.action}` | {cost} | {told} |"


def _followed(entries: list[dict[str, Any]]) -> str:
    return "; ".join(filter(None, map(_entry, entries))) or "allowed"


def _entry(entry: dict[str, Any]) -> str:
    match entry["what"]:
        case "points":
            return f"{letter(entry['seat'])} gets {entry['points']} ({entry['for']})"
        case "retired":
            return f"a token of {entry['size']} is retired ({entry['by']})"
        case "period":
            return f"period {entry['period']} begins"
        case "scored":
            return f"period {entry['period']} is scored"
        case other:
            raise ValueError(f"there are no words for {other!r}")


def _scored(entry: dict[str, Any]) -> Iterator[str]:
    """A table of what each district gave."""
    seats = [letter(seat) for seat in range(len(entry["palace"]))]
    head = [f"levels of {seat}" for seat in seats] + [f"{seat} gets" for seat in seats]
    yield f"| district | {' | '.join(head)} |"
    yield "|---" * (1 + len(head)) + "|"
    for found in entry["districts"]:
        numbers = " | ".join(map(str, found["grandeur"] + found["points"]))
        yield f"| {found['size']}, token on {found['cell']} | {numbers} |"
    yield f"| pawn on a starting space | {' | '.join([''] * len(seats))} | {' | '.join(map(str, entry['palace']))} |"


# ---- tables ----------------------------------------------------------------------------------------------------------


def token_table() -> str:
    """What a token of each size is worth, and how many there are."""
    sizes = find_rules("official").rules.calpulli
    rows = (f"| {size} | {sizes.count(size)} | {' | '.join(map(str, values(size)))} |" for size in sorted(set(sizes)))
    head = ["| size | tokens | first | second, or founder | third, or bystander |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows])


WORDS = {
    "kept_points": "unspent AP that you keep for your next turn, at most",
    "action_tokens": "action tokens in the game",
    "canal_tiles": "canal tiles of 1 space, of 2 spaces and so on",
    "canal_cost": "a canal tile costs 1 AP for each",
    "canal_touches_water": "a canal must touch water orthogonally",
    "boat_cost": "AP for a boat",
    "boat_toll": "which is due for each",
    "teleport": "where one may teleport to",
    "temple_reach": "how far from your pawn a temple may go",
    "found_cost": "AP for founding",
    "start_anywhere": "pawns may start on any free land",
    "period_end": "when the end of a period is looked at",
    "period_end_needs": "of an empty display and a player without temples, a period ends with",
    "penning_temples": "a temple may pen a pawn after the first round",
}
"""What a rule is about, for all in which the shipped rule sets differ."""


def rules_table() -> str:
    """The rules in which the shipped rule sets differ."""
    sets = [find_rules(name) for name in SHIPPED]
    lines = [f"| rule | field | {' | '.join(f'`{found.name}`' for found in sets)} |", "|---" * (2 + len(sets)) + "|"]
    for field in RuleSet.__struct_fields__:
        shown = [_shown(getattr(found.rules, field)) for found in sets]
        if len(set(shown)) > 1:
            told = (
                f"{value} {HOUSE}" if is_house(found, field) else value
                for value, found in zip(shown, sets, strict=True)
            )
            lines.append(f"| {WORDS[field]} | `{field}` | {' | '.join(told)} |")
    return "\n".join(lines)


def house_table() -> str:
    """The fields of the shipped rule files that are ours, at least in part."""
    rows = (
        f"| `{field}` | `{found.name}` | {_shown(getattr(found.rules, field))} | {found.sources[field].house} |"
        for found in map(find_rules, SHIPPED)
        for field in RuleSet.__struct_fields__
        if is_house(found, field)
    )
    return "\n".join(["| field | rule set | value | what of it is ours, or why it is |", "|---|---|---|---|", *rows])


def is_house(rule_set: RuleFile, field: str) -> bool:
    """Whether this rule set, not one that it extends, gives the field a value that is ours, at least in part."""
    return rule_set.set_by[field] == rule_set.name and bool(rule_set.sources[field].house)


def _shown(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(_shown, value))
        case _:
            return str(value).replace("_", " ")


# ---- files -----------------------------------------------------------------------------------------------------------

_BLOCK = re.compile(r"(<!-- generated: (?P<name>[a-z0-9-]+) -->\n).*?(?=<!-- end -->)", re.DOTALL)

TABLES: dict[str, Callable[[], str]] = {"tokens": token_table, "rule-sets": rules_table, "house": house_table}


def page(text: str) -> str:
    """The page with all its generated blocks made anew."""
    return _BLOCK.sub(lambda found: f"{found[1]}{_made(found['name'])}\n", text)


def _made(name: str) -> str:
    return TABLES[name]() if name in TABLES else block(name)


def files() -> dict[str, str]:
    """All generated files, by their path in docs/."""
    made = {f"pictures/{name}.svg": svg(picture) for name, picture in pictures().items()}
    return {**made, "MEXICA.md": page((DOCS / "MEXICA.md").read_text())}


def main() -> None:
    for name, content in files().items():
        (DOCS / name).write_text(content)
        print(f"docs/{name}: {len(content.encode()):,} bytes")


if __name__ == "__main__":
    main()
