"""The SVG board: every thing in its space, the same bytes every time, readable without colour."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from view.position import ROWS, STATE, positions

from mexica_cli.games import load_game
from mexica_cli.games.mexica import MexicaState
from mexica_cli.games.mexica.observation import Temple
from mexica_cli.view.scene import Scene
from mexica_cli.view.svg import MARGIN, View, corner, describe, draw_svg
from mexica_cli.view.svg_elements import CELL, border, element, line, middle
from mexica_cli.view.svg_marks import Arrow, Label, Marks, Outline
from mexica_cli.view.svg_style import RULES

SVG = "{http://www.w3.org/2000/svg}"
VIEW = View(title="a board")


def drawn(state: MexicaState = STATE, view: View = VIEW, rows: list[str] = ROWS) -> str:
    return draw_svg(Scene(observation=state, options={"board": {"rows": rows}}, seats=[]), view)


def tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def marked(**marks: Any) -> ElementTree.Element:
    return tree(drawn(view=View(title="a board", marks=Marks(**marks))))


def changed(**fields: Any) -> MexicaState:
    return msgspec.structs.replace(STATE, **fields)


def by_class(root: ElementTree.Element, class_: str) -> list[ElementTree.Element]:
    """The elements that have a class, in order of drawing."""
    return [found for found in root.iter() if class_ in found.get("class", "").split()]


def spaces(root: ElementTree.Element, class_: str) -> set[tuple[float, float]]:
    """The upper left corners of the spaces that a path fills."""
    return {
        (float(x), float(y))
        for found in by_class(root, class_)
        for x, y in re.findall(r"M(\S+) (\S+?)h40v40h-40Z", found.get("d", ""))
    }


def corners(*cells: str) -> set[tuple[float, float]]:
    return {corner(cell) for cell in cells}


# ---- the document ----------------------------------------------------------------------------------------------------


def test_a_picture_has_a_role_a_name_and_a_description() -> None:
    root = tree(drawn(view=View(title="The island", description="Land in a lake.")))
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert [(child.tag, child.text) for child in root[:2]] == [
        (f"{SVG}title", "The island"),
        (f"{SVG}desc", "Land in a lake."),
    ]


def test_a_picture_without_a_description_lists_what_is_on_the_board() -> None:
    assert tree(drawn())[1].text == describe(STATE)
    assert describe(STATE) == (
        "Pawns: A b2, B g2. Founded districts: 3 with its token on f1. Temples: A3 b3, N4 d3. "
        "Bridges: e1, e3, g2. Canals: e1, e2, e3, g2."
    )


def test_a_picture_needs_nothing_from_elsewhere_and_clashes_with_nothing() -> None:
    text = drawn(view=View(title="t", caption="c", marks=Marks(labels=[Label(words="w", at="a1", about="b2")])))
    assert text.count("http") == 1
    assert 'xmlns="http://www.w3.org/2000/svg"' in text
    assert not re.search(r"\b(id|href|src|url|onload)\b|<script|<image|@import", text)
    style = next(found.text for found in tree(text).iter(f"{SVG}style")) or ""
    selectors = [part for rule in style.strip().split("\n") for part in rule.partition("{")[0].split(",")]
    assert len(selectors) > len(RULES)
    assert all(selector.split()[0] == ".mexica" for selector in selectors)


def test_every_class_that_is_styled_is_drawn() -> None:
    """No rule of style is left over, and none is forgotten: what has neither a rule nor a fill would be black."""
    marks = Marks(
        shaded=[["a2", "a3"]],
        outlines=[Outline(cells=["c3"], kind=kind, badge="1") for kind in ("good", "bad", "note")],
        arrows=[Arrow(cells=["b2", "d2"], kind=kind, badge="2") for kind in ("good", "bad", "note")],
        labels=[Label(words="w", at="a1", about="b2")],
    )
    root = tree(drawn(view=View(title="t", caption="c", marks=marks)))
    used = {name for found in root.iter() for name in found.get("class", "").split()}
    styled = {name for selector in RULES for name in re.findall(r"\.([a-z-]+)", selector)}
    layers = {found.get("class") for found in root.iter(f"{SVG}g")} - {None}
    assert styled - used == set()
    assert used - styled - layers == {"mexica", "ink"}


@pytest.mark.parametrize("words", ["<b> & \"quoted\" 'too'", "a\x00b\x1b[2J", "\ud800", "Tláloc ≈"])
def test_words_from_outside_are_only_words(words: str) -> None:
    view = View(
        title=words, description=words, caption=words, marks=Marks(labels=[Label(words=words, at="a1", about="b2")])
    )
    root = tree(drawn(view=view))
    clean = words.replace("\x00", "�").replace("\x1b", "�").replace("\ud800", "�")
    assert [root[0].text, root[1].text] == [clean, clean]
    assert [found.text for found in [*by_class(root, "label-text"), *by_class(root, "caption")]] == [clean, clean]


def test_attributes_are_escaped() -> None:
    assert element("a", class_='"<&>"', font_size=0.5) == '<a class="&quot;&lt;&amp;&gt;&quot;" font-size="0.5"/>'


def test_layers_lie_in_order() -> None:
    root = marked(
        shaded=[["a2"]],
        outlines=[Outline(cells=["c3"], kind="good", badge="1")],
        arrows=[Arrow(cells=["b2", "d2"], kind="note")],
        labels=[Label(words="w", at="a1", about="b2")],
    )
    inner = root.find(f"{SVG}svg")
    assert inner is not None
    assert [layer.get("class") for layer in inner] == [
        *("ground", "shades", "bridges", "arrows", "pieces", "outlines", "badges", "labels")
    ]


# ---- the ground ------------------------------------------------------------------------------------------------------


def test_every_space_has_its_ground() -> None:
    root = tree(drawn())
    assert spaces(root, "lake") == corners("a1", "g1", "g3")
    assert spaces(root, "canal") == corners("e1", "e2", "e3", "g2")
    assert spaces(root, "palace") == corners("b2", "c2", "d2")
    assert spaces(root, "founded") == corners("f1", "f2", "f3")
    assert spaces(root, "land") == corners("b1", "c1", "d1", "a2", "a3", "b3", "c3", "d3")


def test_a_founded_district_with_the_palace_keeps_the_palace_visible() -> None:
    root = tree(drawn(changed(tokens={"a2": 11})))
    assert spaces(root, "palace") == corners("b2", "c2", "d2")
    assert len(spaces(root, "founded")) == 8


def test_a_border_has_every_outer_side_and_no_inner_one() -> None:
    assert sorted(border([(0, 0), (40, 0)], 0)) == sorted(
        line(*ends)
        for ends in (
            ((0, 0), (40, 0)),
            ((40, 0), (80, 0)),
            ((0, 40), (40, 40)),
            ((40, 40), (80, 40)),
            ((0, 0), (0, 40)),
            ((80, 0), (80, 40)),
        )
    )


# ---- pieces ----------------------------------------------------------------------------------------------------------


def pieces(root: ElementTree.Element) -> dict[tuple[str, str], ElementTree.Element]:
    """Every piece, by its name and cell."""
    found = {}
    for piece in root.iter(f"{SVG}g"):
        if cell := piece.get("data-cell"):
            name, _, where = (piece.findtext(f"{SVG}title") or "").rpartition(" on ")
            assert where == cell
            found[name, cell] = piece
    return found


def letters(piece: ElementTree.Element) -> str | None:
    """What is written on a piece."""
    return piece.findtext(f"{SVG}text")


def test_pieces_are_told_apart_by_shape_and_letter() -> None:
    found = pieces(tree(drawn()))
    assert {name: letters(piece) for name, piece in found.items()} == {
        ("bridge, crossed east-west", "e1"): None,
        ("bridge, crossed north-south", "e3"): None,
        ("bridge, crossed east-west", "g2"): None,
        ("token of 3", "f1"): "3",
        ("temple of A, level 3", "b3"): "A3",
        ("neutral temple, level 4", "d3"): "N4",
        ("pawn of A", "b2"): "A",
        ("pawn of B", "g2"): "B",
    }


@pytest.mark.parametrize("level", [1, 2, 3, 4, 7])
def test_a_temple_has_as_many_storeys_as_levels(level: int) -> None:
    found = pieces(tree(drawn(changed(temples={"c3": Temple(seat=1, level=level)}))))
    storeys = found[f"temple of B, level {level}", "c3"].findall(f"{SVG}rect")
    assert len(storeys) == level
    widths = [float(storey.get("width", 0)) for storey in storeys]
    assert widths == sorted(set(widths))


def test_a_pawn_on_a_bridge_leaves_the_bridge_visible() -> None:
    found = pieces(tree(drawn()))
    radii = {cell: float(piece[2].get("r", 0)) for (name, cell), piece in found.items() if name.startswith("pawn")}
    assert radii["g2"] < radii["b2"] < CELL / 2


@pytest.mark.parametrize(("axis", "along"), [("h", 0), ("v", 1)])
def test_a_bridge_reaches_onto_both_banks_along_its_axis(axis: str, along: int) -> None:
    root = tree(drawn(changed(bridges={"e2": axis}, pawns=[None] * 3)))
    (deck,) = by_class(root, "deck")
    points = [tuple(map(float, pair)) for pair in re.findall(r"[ML](\S+?) (\S+?)(?=[LZ])", deck.get("d", ""))]
    corner_of = corner("e2")
    for side in (0, 1):
        low, high = min(point[side] for point in points), max(point[side] for point in points)
        over = low < corner_of[side] and high > corner_of[side] + CELL
        assert over == (side == along)


def check_pieces(seen: MexicaState, root: ElementTree.Element) -> None:
    """The drawing holds what the position holds, each in its space, and nothing else."""
    whose = {seat: f"temple of {name}," for seat, name in enumerate("ABCD")} | {None: "neutral temple,"}
    axes = {"h": "east-west", "v": "north-south"}
    assert pieces(root).keys() == {
        *((f"pawn of {'ABCD'[seat]}", cell) for seat, cell in enumerate(seen.pawns) if cell),
        *((f"{whose[temple.seat]} level {temple.level}", cell) for cell, temple in seen.temples.items()),
        *((f"token of {size}", cell) for cell, size in seen.tokens.items()),
        *((f"bridge, crossed {axes[axis]}", cell) for cell, axis in seen.bridges.items()),
    }
    for (name, cell), piece in pieces(root).items():
        if (label := piece.find(f"{SVG}text")) is not None:
            assert float(label.get("x", 0)) == middle(corner(cell))[0], name


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_thing_is_drawn_in_its_space(players: int) -> None:
    options = load_game("mexica").options()
    count = 0
    for count, seen in enumerate(positions(players, every=20), 1):  # noqa: B007
        text = draw_svg(Scene(observation=seen, options=options, seats=[]), VIEW)
        root = tree(text)
        check_pieces(seen, root)
        assert spaces(root, "canal") == corners(*seen.canals)
        assert len(spaces(root, "founded")) <= sum(seen.tokens.values())
        grounds = [spaces(root, ground) for ground in ("lake", "canal", "land", "founded", "palace")]
        assert sum(map(len, grounds)) == len(set().union(*grounds)) == 14 * 21
        again = msgspec.json.decode(msgspec.json.encode(seen), type=MexicaState)
        assert draw_svg(Scene(observation=again, options=options, seats=["x"]), VIEW) == text
    assert count > 5


# ---- windows and coordinates -----------------------------------------------------------------------------------------


def test_coordinates_of_a_window() -> None:
    root = tree(drawn(view=View(title="t", window=("c2", "e3"))))
    assert [found.text for found in by_class(root, "coordinate")] == ["c", "d", "e", "2", "3"]
    assert root.get("viewBox") == f"0 0 {3 * CELL + 2 * MARGIN} {2 * CELL + 2 * MARGIN}"
    inner = root.find(f"{SVG}svg")
    assert inner is not None
    assert inner.get("viewBox") == f"{2 * CELL} {CELL} {3 * CELL} {2 * CELL}"


def test_a_window_holds_what_it_shows_and_what_reaches_over_its_edge() -> None:
    cells = {cell for _, cell in pieces(tree(drawn(view=View(title="t", window=("c1", "d3")))))}
    assert cells == {"e1", "e3", "b3", "d3", "b2"}


def test_a_board_of_26_columns_and_rows_of_two_digits() -> None:
    rows = ["SCS" + "#" * 23, "#" * 26] + ["#" * 26] * 10
    state = changed(canals=["z12"], bridges={}, temples={}, tokens={}, pawns=[None] * 3)
    root = tree(drawn(state, rows=rows))
    names = [found.text for found in by_class(root, "coordinate")]
    assert names == [*"abcdefghijklmnopqrstuvwxyz", *map(str, range(1, 13))]
    assert spaces(root, "canal") == corners("z12")


# ---- marks -----------------------------------------------------------------------------------------------------------


def test_an_outline_goes_around_all_its_spaces() -> None:
    root = marked(outlines=[Outline(cells=["b3", "c3"], kind="good")])
    (box,) = by_class(root, "mark")
    x, y = corner("b3")
    assert box.get("d") == f"M{x + 4} {y + 4}L{x + 76} {y + 4}L{x + 76} {y + 36}L{x + 4} {y + 36}Z"


@pytest.mark.parametrize(("kind", "crosses"), [("good", 0), ("bad", 1), ("note", 0)])
def test_what_is_bad_is_crossed(kind: Any, crosses: int) -> None:
    assert len(by_class(marked(outlines=[Outline(cells=["b3"], kind=kind)]), "cross")) == crosses
    assert len(by_class(marked(arrows=[Arrow(cells=["b3", "d3"], kind=kind)]), "cross")) == crosses


def test_badges_on_one_space_do_not_cover_each_other() -> None:
    root = marked(outlines=[Outline(cells=["b3"], kind="good", badge=str(n)) for n in range(4)])
    places = {(float(found.get("x", 0)), float(found.get("y", 0))) for found in by_class(root, "badge")}
    assert len(places) == 4
    assert [found.text for found in by_class(root, "badge-text")] == ["0", "1", "2", "3"]


def test_an_arrow_goes_through_its_spaces_and_ends_in_the_last() -> None:
    root = marked(arrows=[Arrow(cells=["a2", "a1", "c1"], kind="good")])
    (shaft,), (head,) = by_class(root, "mark"), by_class(root, "head")
    bend, goal = middle(corner("a1")), middle(corner("c1"))
    assert f"L{bend[0]:g} {bend[1]:g}L" in shaft.get("d", "")
    tip = re.match(r"M(\S+) (\S+)L", head.get("d", ""))
    assert tip
    assert goal[0] - CELL / 2 < float(tip[1]) < goal[0]
    assert float(tip[2]) == goal[1]


def test_a_label_on_the_space_it_is_about_has_no_pointer() -> None:
    assert by_class(marked(labels=[Label(words="w", at="b2", about="b2")]), "pointer") == []
    assert len(by_class(marked(labels=[Label(words="w", at="a1", about="b2")]), "pointer")) == 1


def test_shaded_areas_have_an_edge_around_them() -> None:
    root = marked(shaded=[["a2", "a3"], ["d3"]])
    assert spaces(root, "shade") == corners("a2", "a3", "d3")
    assert len(by_class(root, "shade-edge")) == 2


def test_a_caption_stands_below_the_board() -> None:
    root = tree(drawn(view=View(title="t", caption="canal c4 c5")))
    (caption,) = by_class(root, "caption")
    assert caption.text == "canal c4 c5"
    assert float(caption.get("y", 0)) > len(ROWS) * CELL + MARGIN
    assert by_class(tree(drawn()), "caption") == []


# ---- readable --------------------------------------------------------------------------------------------------------


def light(colour: str) -> float:
    """Relative luminance, as WCAG defines it."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def fill(selector: str) -> str:
    found = re.search(r"fill:(#[0-9a-f]{6})", RULES[selector])
    assert found
    return found[1]


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_letters_stand_out_on_their_pieces(seat: int | None) -> None:
    found = pieces(tree(drawn(changed(temples={"c3": Temple(seat=seat, level=1)}, pawns=[None] * 4))))
    (temple,) = [piece for (name, _), piece in found.items() if "temple" in name]
    storey, label = temple.find(f"{SVG}rect"), temple.find(f"{SVG}text")
    assert storey is not None
    assert label is not None
    assert contrast(storey.get("fill", ""), label.get("fill", "")) >= 4.5


def test_grounds_differ_in_lightness() -> None:
    lake, canal, land, founded = map(fill, (".lake", ".canal", ".land", ".founded"))
    assert contrast(lake, canal) >= 3
    assert contrast(lake, land) >= 4.5
    assert contrast(canal, land) >= 1.5
    assert contrast(land, founded) >= 1.2  # and founded land is hatched, with a line around it


def test_coordinates_stand_out_on_the_frame() -> None:
    assert contrast(fill(".frame"), fill(".coordinate,.caption")) >= 7
