"""docs/MEXICA.md says what the engine does: pictures and tables are fresh, numbers are those of `official`, links lead
somewhere, and every reading is there."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import generate_docs
import pytest

from mexica_cli.games import load_game
from mexica_cli.games.mexica import SHIPPED, State
from mexica_cli.games.mexica.actions import KINDS
from mexica_cli.games.mexica.board import LETTERS, near_lake, parse_board
from mexica_cli.games.mexica.rule_files import find_rules

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGE = (DOCS / "MEXICA.md").read_text()
PLAIN = " ".join(PAGE.split())
"""The page with its lines joined, for what is broken across them."""
OFFICIAL = find_rules("official").rules
READINGS = range(1, 20)


def section(heading: str) -> str:
    """What stands under a heading, down to the next one of the same or a higher level."""
    level = heading.partition(" ")[0]
    _, found, rest = PAGE.partition(f"\n{heading}\n")
    assert found, f"MEXICA.md has no heading {heading!r}"
    return re.split(rf"^#{{1,{len(level)}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


PICTURES: list[str] = sorted(generate_docs.pictures())

# ---- what is generated -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["MEXICA.md", *(f"pictures/{name}.svg" for name in PICTURES)])
def test_generated_files_are_fresh(name: str) -> None:
    assert (DOCS / name).read_text() == files()[name], "run scripts/generate_docs.py"


@cache
def files() -> dict[str, str]:
    made: dict[str, str] = generate_docs.files()
    return made


def test_there_are_no_other_pictures() -> None:
    assert sorted(path.stem for path in (DOCS / "pictures").glob("*.svg")) == PICTURES


def test_every_picture_and_table_has_its_place() -> None:
    assert sorted(re.findall(r"<!-- generated: ([a-z-]+) -->", PAGE)) == sorted([*PICTURES, *generate_docs.TABLES])
    assert PAGE.count("<!-- end -->") == PAGE.count("<!-- generated: ")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_of_a_real_position(name: str) -> None:
    picture = generate_docs.pictures()[name]
    assert picture.start().position() == picture.position


@pytest.mark.parametrize("name", PICTURES)
def test_what_is_told_of_a_picture_can_be_seen_in_it(name: str) -> None:
    picture = generate_docs.pictures()[name]
    (left, top), (right, bottom) = map(place, picture.window or ("a1", "u14"))
    told = re.findall(r"\b[a-u]\d+\b", " ".join([picture.text, *picture.tries, *picture.plays]))
    for column, row in map(place, told):
        assert left <= column <= right
        assert top <= row <= bottom


def place(cell: str) -> tuple[int, int]:
    return LETTERS.index(cell[0]), int(cell[1:])


# ---- what the engine says to what the page shows ---------------------------------------------------------------------

SAID: dict[str, dict[str, int | str]] = {
    "canal": {
        "canal m5": 1,
        "canal k10 l10": 1,
        "canal n7": "bridge_ramp",
        "canal q7": "founded_district",
        "canal h8 h9": "palace",
        "canal k6 l6": "occupied",
        "canal s5": "not_land",
    },
    "corner": {"canal c3": 1},
    "found": {"found 6 c2": 0, "found 6 a4": "occupied", "found 8 c2": "wrong_size"},
    "bridge": {
        "bridge m9 v": 1,
        "bridge o7 h": 1,
        "bridge l9 h": "no_ramp",
        "bridge o6 v": "no_ramp",
        "bridge p5 h": "no_ramp",
        "bridge o8 h": "occupied",
        "bridge l6 h": "not_canal",
    },
    "walk": {"walk m7": 1, "walk n8": 1, "walk m9": "bridge_axis", "walk l8": "occupied", "walk n9": "too_far"},
    "boat": {"boat o9": 1, "boat l3": 2, "boat o5": "occupied", "boat n10": "no_waterway"},
    "temple": {
        "temple 4 q9": 4,
        "temple 1 p7": 1,
        "temple 2 s8": "not_your_district",
        "temple 1 p6": "occupied",
        "temple 3 q6": "occupied",
    },
    "penning": {"temple 1 b2": "penning", "canal b2 b3": "penning", "walk b2": "penning", "canal b2": 1},
    "retired": {"canal b12 c12": 1},
    "scoring": {"end": "–"},
    "lock": {"teleport b2": "occupied"},
    "palace": {"found 7 g6": 0, "temple 1 g8": 1},
    "island": {},
    "pieces": {},
    "neutral": {},
}
"""By picture and action: the AP of a legal one, the code of a refused one. What the text around a picture counts on."""


@pytest.mark.parametrize("name", PICTURES)
def test_the_engine_says_what_the_text_counts_on(name: str) -> None:
    picture = generate_docs.pictures()[name]
    said = {
        verdict.action: verdict.code or ("–" if verdict.cost is None else verdict.cost)
        for verdict in generate_docs.verdicts(picture)
    }
    assert said == SAID[name]


def followed(name: str) -> list[dict[str, Any]]:
    """What followed from the first action of a picture."""
    found: list[dict[str, Any]] = generate_docs.verdicts(generate_docs.pictures()[name])[0].followed
    return found


def test_corners_close_a_district_of_six() -> None:
    picture = generate_docs.pictures()["corner"]
    before, after = picture.start(), picture.start()
    after.apply(after.parse("canal c3"))
    district = generate_docs.district
    assert len(district(picture.game, generate_docs.seen(before), "b2")) > 100
    assert district(picture.game, generate_docs.seen(after), "b2") == ["b1", "b2", "c2", "a3", "b3", "a4"]


def test_founding_pays_founder_and_bystander() -> None:
    assert [(entry["seat"], entry["points"], entry["for"]) for entry in followed("found")] == [
        (0, 3, "founding"),
        (1, 2, "bystander"),
    ]


def test_the_trip_that_passes_a_pawn_pays_for_it() -> None:
    """Without B's bridge on the way, the trip is 1 AP."""
    position = generate_docs.pictures()["boat"].position.replace(",o5:h", "").replace("o7/o5/i7", "o7/h6/i7")
    assert generate_docs.judge(load_game("mexica").from_position(position), "boat l3").cost == 1


def test_a_bridge_would_free_the_penned_pawn() -> None:
    """After the single canal that is allowed, B can build a bridge; and a round later all is allowed."""
    state = generate_docs.pictures()["penning"].start()
    later = load_game("mexica").from_position(state.position().replace("round=1 turn=5", "round=2 turn=8"))
    assert all(later.is_legal(later.parse(action)) for action in SAID["penning"])
    for action in ("canal b2", "end", "end", "bridge b2 v", "walk b2", "walk b3"):
        assert state.is_legal(state.parse(action)), action
        state.apply(state.parse(action))


def test_5_6_and_7_are_the_tokens_that_stay() -> None:
    state = generate_docs.pictures()["retired"].start()
    entries = state.apply(state.parse("canal b12 c12"))
    assert [(entry["what"], entry["by"]) for entry in entries] == [("retired", "automatic")] * len(entries)
    assert generate_docs.seen(state).supply.canals == [0, 0]
    assert generate_docs.seen(state).display == [5, 6, 7]


def test_the_scoring_with_ties() -> None:
    scored = next(entry for entry in followed("scoring") if entry["what"] == "scored")
    assert {found["size"]: (found["grandeur"], found["points"]) for found in scored["districts"]} == {
        6: ([4, 2, 1, 0], [6, 3, 2, 0]),
        8: ([5, 5, 2, 0], [8, 8, 2, 0]),
        10: ([3, 2, 2, 1], [10, 5, 5, 0]),
    }
    assert scored["palace"] == [0, 0, 0, 5]


def test_the_vote_is_as_told() -> None:
    """The first refusal ends it; if all agree the token is gone, at no cost, and the turn goes on."""
    game = load_game("mexica")
    (position,) = re.findall(
        r"^mexica .* phase=vote .*$", (ROOT / "protocol" / "NOTATION.md").read_text(), re.MULTILINE
    )
    state = game.from_position(position)
    refused, agreed = state.copy(), state.copy()
    refused.apply(refused.parse("refuse"))
    assert (refused.to_act, generate_docs.seen(refused).display) == (1, [3, 4, 4, 5, 5, 7, 10])
    assert not refused.is_legal(refused.parse("retire 4"))
    for _ in range(2):
        agreed.apply(agreed.parse("agree"))
    assert (agreed.to_act, generate_docs.seen(agreed).display) == (1, [3, 4, 5, 5, 7, 10])
    assert generate_docs.seen(agreed).ap == generate_docs.seen(state).ap


def test_neutral_temples_keep_their_distance() -> None:
    state = generate_docs.seen(generate_docs.pictures()["neutral"].start())
    board = parse_board("\n".join(load_game("mexica").options()["board"]["rows"]), "standard", "options")
    assert len(state.temples) == 10
    assert not any(near_lake(board) >> board.numbers[cell] & 1 for cell in state.temples)
    for one, other in combinations(map(place, state.temples), 2):
        assert abs(one[0] - other[0]) + abs(one[1] - other[1]) >= OFFICIAL.neutral_distance


def test_nobody_builds_in_a_full_district() -> None:
    picture = generate_docs.pictures()["lock"]
    state = picture.start()
    full = set(generate_docs.district(picture.game, generate_docs.seen(state), "b2"))
    assert len(full) == 6
    assert not any(full & set(state.text(action).split()) for action in state.legal_actions())


def test_the_palace_district_has_room_for_one_temple() -> None:
    picture = generate_docs.pictures()["palace"]
    state = picture.start()
    for action in picture.plays:
        state.apply(state.parse(action))
    seven = set(generate_docs.district(picture.game, generate_docs.seen(state), "h7"))
    assert len(seven) == 7
    assert isinstance(state, State)
    texts = [state.text(action) for action in state.legal_actions()]
    assert not [text for text in texts if text.startswith("temple") and text.split()[2] in seven]
    assert followed("palace")[0]["points"] == 4


# ---- numbers ---------------------------------------------------------------------------------------------------------


def temples(numbers: list[int]) -> str:
    """Like "3 of level 1, 2 of level 2 and 1 of level 3"."""
    *first, last = (f"{number} of level {level}" for level, number in enumerate(numbers, 1))
    return f"{', '.join(first)} and {last}"


def stated() -> list[str]:
    """What the page says in words, with the numbers of the rule file `official` and the standard board."""
    rows = load_game("mexica").options()["board"]["rows"]
    single, double = OFFICIAL.canal_tiles
    later = OFFICIAL.temples[1]
    tokens = len(OFFICIAL.calpulli)
    return [
        f"{len(rows[0])} columns and {len(rows)} rows",
        f"{sum(len(re.findall('[#SC]', row)) for row in rows)} spaces are land",
        f"you have {OFFICIAL.action_points} action points (AP)",
        f"{single} of one space, {double} of two",
        f"**Bridges**: {OFFICIAL.bridges}, for everybody",
        f"Once all {OFFICIAL.bridges} bridges are on the board",
        f"**Action tokens**: {OFFICIAL.action_tokens}, for everybody",
        f"take {OFFICIAL.tokens_per_turn} a turn, while there are any",
        f"At most {OFFICIAL.tokens_per_turn} are taken in a turn",
        f"each player gets {temples(OFFICIAL.temples[0])}",
        f"for the second, {', '.join(map(str, later[:-1]))} and {later[-1]} more",
        f"A temple of level 1 to {OFFICIAL.levels} costs as many AP as it has levels",
        f"{OFFICIAL.first_calpulli} of the {tokens} are drawn at random",
        f"the other {tokens - OFFICIAL.first_calpulli} follow in the second",
        f"Each bridge that you reach or pass under costs {OFFICIAL.boat_cost} AP",
        f"{OFFICIAL.teleport_cost} AP take your pawn to any free land space",
        f"a pawn on a starting space is worth {OFFICIAL.start_bonus} points",
        f"The {OFFICIAL.start_bonus} points for a starting space",
        f"{sum(OFFICIAL.neutral_temples)} temples of a neutral colour",
        f"at random: {temples(OFFICIAL.neutral_temples)}",
        f"at least {OFFICIAL.neutral_distance} apart",
        f"field `stall_rounds`, {OFFICIAL.stall_rounds}). After {OFFICIAL.stall_rounds} rounds",
        f"(**house**, {OFFICIAL.round_limit}) still ends every game",
        f"unspent AP are kept up to {find_rules('summary').rules.kept_points}",
    ]


@pytest.mark.parametrize("words", stated())
def test_numbers_are_those_of_the_rules(words: str) -> None:
    assert words in PLAIN


COSTS = {
    "[dig a canal]": 1,
    "[build a bridge]": 1,
    "[found a district]": OFFICIAL.found_cost,
    "[build a temple]": "its level",
    "[walk]": 1,
    "[go by boat]": f"{OFFICIAL.boat_cost} a {OFFICIAL.boat_toll}",
    "[teleport]": OFFICIAL.teleport_cost,
    "[take an action token]": 1,
    "[spend an action token]": 0,
    "[propose to retire a token]": 0,
    "end the turn": "–",
}


def test_the_table_of_costs() -> None:
    rows = re.findall(r"^\| (\[[^\]]+\]|end the turn).* \| ([^|]+) \| (`.*`) \|$", section("## Actions"), re.MULTILINE)
    assert {action: cost for action, cost, _ in rows} == {action: str(cost) for action, cost in COSTS.items()}
    state = load_game("mexica").start(2, load_game("mexica").deal(2, 1))
    examples = [example for *_, found in rows for example in re.findall(r"`([^`]+)`", found)]
    assert [state.text(state.parse(example)) for example in examples] == examples
    words = {example.split(maxsplit=1)[0] for example in examples}
    assert words == set(KINDS) - {"place", "agree", "refuse"}


def test_the_table_of_tokens() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", section("## Material"), re.MULTILINE)
    assert [int(size) for size, number, *_ in rows for _ in range(int(number))] == sorted(OFFICIAL.calpulli)
    for size, _, first, second, third in rows:
        assert (int(first), int(second), int(third)) == (int(size), -(-int(size) // 2), -(-int(second) // 2))


# ---- readings and what is ours ---------------------------------------------------------------------------------------


def test_every_reading_has_its_heading() -> None:
    assert re.findall(r"^### Reading (\d+)$", PAGE, re.MULTILINE) == [str(number) for number in READINGS]
    assert f"in {len(READINGS)} numbered [readings]" in PLAIN


@pytest.mark.parametrize("number", READINGS)
def test_a_reading_says_something(number: int) -> None:
    assert re.match(r"\n\*\*[A-Z]", section(f"### Reading {number}"))
    assert len(section(f"### Reading {number}")) > 60


def test_no_other_reading_is_referred_to() -> None:
    folders = [ROOT / name for name in ("mexica_cli", "tests", "protocol", "docs", "bots", "scripts")]
    texts = [path.read_text() for folder in folders for path in folder.rglob("*.*") if path.suffix in (".py", ".md")]
    referred = {int(number) for text in texts for number in re.findall(r"\b[Rr]eadings? (\d+)", text)}
    assert referred == set(READINGS)


@pytest.mark.parametrize("number", READINGS)
def test_readings_of_our_own_are_marked(number: int) -> None:
    assert ("**house**" in section(f"### Reading {number}")) == (number in (11, 13, 15, 18))


def test_every_switch_of_ours_is_told() -> None:
    """Fields of `official` that no document states are named in a reading."""
    official = find_rules("official")
    ours = {field for field, source in official.sources.items() if source.house and not source.stated}
    assert ours == {"automatic_retirement", "stall_rounds", "round_limit"}
    assert ours <= set(re.findall(r"`(\w+)`", section("## The readings")))


def test_the_table_of_rule_sets_has_every_difference() -> None:
    options = {name: load_game("mexica", name).options()["rules"] for name in SHIPPED}
    different = {
        field for field, value in options["official"].items() if {str(value)} != set(map(str, column(options, field)))
    }
    rows = re.findall(
        r"^\| [^|]+ \| `(\w+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", section("## Three rule sets"), re.MULTILINE
    )
    assert {field for field, *_ in rows} == different - {"name"} == set(generate_docs.WORDS)
    assert all(len(set(told)) > 1 for _, *told in rows)


def column(options: dict[str, dict[str, Any]], field: str) -> list[Any]:
    return [rules[field] for rules in options.values()]


# ---- links -----------------------------------------------------------------------------------------------------------

LINKS = [target for target in re.findall(r"\]\(([^)\s]+)\)", PAGE) if "://" not in target]


def anchors(path: Path) -> set[str]:
    """The names by which a document's headings can be linked to, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("target", sorted(set(LINKS)))
def test_link(target: str) -> None:
    name, _, anchor = target.partition("#")
    path = DOCS / name if name else DOCS / "MEXICA.md"
    assert path.exists()
    assert not anchor or anchor in anchors(path)


def test_every_chapter_is_in_the_table_of_contents() -> None:
    chapters = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert re.findall(r"^\[([^\]]+)\]\(#[^)]+\)(?: ·)?$", PAGE, re.MULTILINE) == chapters
