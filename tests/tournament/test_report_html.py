"""The page: sound, self-contained, true to the summary, and safe whatever bots are called and write."""

from __future__ import annotations

import hashlib
import re
import shlex
from base64 import b64encode
from importlib.resources import files

import msgspec
import pytest
from tournament.reported import HOSTILE, SCRIPT, TAIL, eventful, header, held_up, league, log_of, result
from tournament.webpage import Node, Page

from mexica_cli.tournament.report_faults import FAILURES_SHOWN
from mexica_cli.tournament.report_html import html
from mexica_cli.tournament.report_text import elo_text, known, mean_text, percent, plain, rate_text
from mexica_cli.tournament.summary import Log, Order, Settings, Summary, summarise
from mexica_cli.wire.messages import Fault

CSS = (files("mexica_cli.tournament") / "data" / "report.css").read_text("utf-8")


@pytest.fixture(scope="module")
def summary() -> Summary:
    """A little of everything, with names and errors that want to break out."""
    log, settings = eventful()
    return summarise([log], settings)


@pytest.fixture(scope="module")
def page(summary: Summary) -> Node:
    """The page of it."""
    return Page.read(html(summary))


def rows(page: Node, section: str) -> list[list[str]]:
    """The first table of a section: its cells as texts."""
    table = page.one("section", id=section).find("table")[0].one("tbody")
    return [[cell.text for cell in row.find("td")] for row in table.find("tr")]


def section_ids(page: Node) -> list[str]:
    return [section["id"] for section in page.find("section")]


# ---- sound and safe --------------------------------------------------------------------------------------------------


def test_it_is_one_whole_page(page: Node) -> None:
    assert [child.tag for child in page.one("html").children if isinstance(child, Node)] == ["head", "body"]
    ids = [node["id"] for node in page if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    targets = [link["href"] for link in page.find("a")]
    assert targets
    assert {target.removeprefix("#") for target in targets} <= set(ids)


def test_it_loads_nothing(page: Node) -> None:
    assert {node.tag for node in page}.isdisjoint({"link", "img", "iframe", "object", "embed", "base", "form", "image"})
    assert not any(
        attribute in {"src", "srcset", "action", "xlink:href"} for node in page for attribute in node.attributes
    )
    assert all(link["href"].startswith("#") for link in page.find("a"))
    assert not re.search(r"url\(|@import|https?:", CSS)


def test_its_policy_allows_its_own_script_and_no_other(page: Node) -> None:
    policy = page.one("meta", **{"http-equiv": "Content-Security-Policy"})["content"]
    script = page.one("script").inside
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert "default-src 'none'" in policy
    assert f"script-src 'sha256-{digest}'" in policy
    assert script == (files("mexica_cli.tournament") / "data" / "report.js").read_text("utf-8")


def test_no_element_or_attribute_came_from_outside(page: Node) -> None:
    assert len(page.find("script")) == 1
    assert not any(attribute.startswith("on") or attribute == "style" for node in page for attribute in node.attributes)
    assert page.one("h1").text == f"cup {SCRIPT}"
    assert page.one("title").text == f"cup {SCRIPT}"


def test_nothing_invisible_is_left(summary: Summary) -> None:
    assert all(c.isprintable() or c in "\n\t" for c in html(summary).replace(CSS, ""))


def test_names_are_shown_as_they_are_and_don_t_turn_their_surroundings(page: Node) -> None:
    names = {node.text for node in page.find("bdi")}
    assert names == {plain(name) for name in HOSTILE}


def test_the_same_summary_gives_the_same_page(summary: Summary) -> None:
    assert html(summary) == html(summary)


# ---- true ------------------------------------------------------------------------------------------------------------


def test_standings(page: Node, summary: Summary) -> None:
    found = rows(page, "standings")
    assert len(found) == 6
    for rank, (cells, bot) in enumerate(zip(found, summary.bots, strict=True), 1):
        own, rates, rating = bot.standing, bot.standing.rates, bot.rating
        assert rates is not None
        assert rating is not None
        assert cells[0] == str(rank)
        assert cells[1].startswith(plain(own.bot))
        assert cells[2:7] == [
            str(own.games),
            rate_text(rates.wins),
            mean_text(rates.points),
            elo_text(known(rating)),
            rate_text(rates.beaten),
        ]
        assert cells[7:] == [str(number) for number in own.places]


def test_cells_are_sorted_by_their_numbers(page: Node, summary: Summary) -> None:
    table = page.one("section", id="standings").one("tbody")
    wins = [float(row.find("td")[3]["data-value"]) for row in table.find("tr")]
    assert wins == [bot.standing.rates.wins.value for bot in summary.bots if bot.standing.rates]


def test_ratings_are_plotted_best_first(page: Node, summary: Summary) -> None:
    plotted = [head.one("bdi").text for head in page.one("section", id="ratings").find("th")]
    rated = sorted(
        (bot for bot in summary.bots if bot.rating), key=lambda bot: -bot.rating.elo.value if bot.rating else 0
    )
    assert plotted == [plain(bot.standing.bot) for bot in rated]
    dots = [float(dot["cx"].rstrip("%")) for dot in page.one("section", id="ratings").find("circle")]
    assert dots == sorted(dots, reverse=True)


def test_pairs_are_there_in_numbers_too(page: Node, summary: Summary) -> None:
    [details] = page.one("section", id="pairs").find("details")
    found = [[cell.text for cell in row.find("td")] for row in details.one("tbody").find("tr")]
    for cells, pair in zip(found, summary.pairs, strict=True):
        assert pair.match is not None
        meeting, match = pair.meeting, pair.match
        assert cells == [
            plain(meeting.bot),
            plain(meeting.other),
            *map(str, (meeting.wins, meeting.ties, meeting.losses)),
            rate_text(meeting.rate),
            elo_text(match.elo),
            elo_text(match.normalised_elo),
            percent(match.superiority),
            " ".join(map(str, match.counts)) + ("" if len(match.counts) == 5 else " (games lost, drawn, won)"),
        ]


def test_endings_seats_and_time(page: Node, summary: Summary) -> None:
    assert [cells[:2] for cells in rows(page, "endings")] == [
        ["finished", "90"],
        ["forfeit: crash", "16"],
        ["forfeit: timeout", "1"],
        ["void: arena", "1"],
        ["void: startup", "1"],
    ]
    assert sum(ending.games for ending in summary.endings) == summary.games + summary.void
    seats = page.one("section", id="seats").find("th")
    assert [head.inside for head in seats] == ["seat 0", "seat 1"]
    for head, own in zip(seats, summary.seats, strict=True):
        assert rate_text(own.rates.wins) in head.text
        assert mean_text(own.rates.points) in head.text
    assert rows(page, "time")[0][1:3] == ["150.0 ms", "200.0 ms"]
    assert "60 µs of its own a decision" in page.one("section", id="time").text


def test_that_the_arena_was_held_up_is_said_only_where_it_was(page: Node) -> None:
    assert "held up" not in page.text
    games = [(("ann", "bob"), held_up(result("1-1", [1, 2]), 2, 4250))]
    time = Page.read(html(summarise([log_of(games)]))).one("section", id="time")
    assert "It was held up 2x while bots were asked, 4.2 s in all, which isn't charged to them." in time.text


def test_settings_of_the_format(page: Node) -> None:
    assert "undecided: log-likelihood ratio 0.82" in page.one("section", id="test").text
    swiss, knockout = page.one("section", id="format").find("table")
    assert len(swiss.one("tbody").find("tr")) == 6
    assert [cell.text for cell in knockout.find("td")][-4:] == ["2", SCRIPT, "�drow�", "seed"]


def test_what_was_played_under_what(page: Node) -> None:
    facts = dict(zip((n.text for n in page.find("dt")), (n.text for n in page.find("dd")), strict=True))
    assert (facts["game"], facts["rules"], facts["board"], facts["seed"]) == ("nim", "plain", "round", "7")
    assert "107 of 200 games played in 54 blocks, 2 void" in page.one("header").text
    assert (
        "10 s to start, 5 s to get ready, 3rd illegal action forfeits, 512 MiB" in page.one("section", id="logs").text
    )
    assert "Bradley-Terry" in page.one("section", id="methods").text


# ---- who failed ------------------------------------------------------------------------------------------------------


def test_bots_that_forfeited_are_named_at_the_top_and_marked_in_the_table(page: Node) -> None:
    alarm = page.one("div", class_="alarm")
    assert [item.text.partition(":")[0] for item in alarm.find("li")] == ["red�", "שלום", "long-" * 12]
    badges = page.one("section", id="standings").find("a", class_="badge")
    assert [badge.text for badge in badges] == ["16 forfeits", "faults", "1 forfeit"]
    assert {badge["href"] for badge in badges} == {link["href"] for link in alarm.find("a")}


def test_stale_answers_alone_raise_no_alarm() -> None:
    line = msgspec.structs.replace(result("1-1", [1, 2]), stale=[3, 0])
    page = Page.read(html(summarise([log_of([(("ann", "bob"), line)])])))
    assert not page.find("div", class_="alarm")
    assert "failures" not in section_ids(page)


def test_the_tail_of_standard_error_is_one_click_away(page: Node, summary: Summary) -> None:
    target = page.one("section", id="standings").find("a", class_="badge")[0]["href"]
    article = page.one("article", id=target.removeprefix("#"))
    assert article.one("h3").text == "red�"
    tails = [details for details in article.find("details") if details.find("pre")]
    assert [details.one("summary").text for details in tails] == ["the end of its standard error"] * FAILURES_SHOWN
    assert {details.one("pre").text for details in tails} == {plain(TAIL, keep="\n\t")}
    assert not any(outer is not details and outer.tag == "details" for details in tails for outer in ancestors(details))


def ancestors(node: Node) -> list[Node]:
    return [] if node.parent is None else [node.parent, *ancestors(node.parent)]


def test_the_games_are_named_so_that_they_can_be_found(page: Node, summary: Summary) -> None:
    commands = [shlex.split(code.text) for code in page.find("code", class_="command")]
    failed = [failure.game for failure in summary.failures]
    assert len(commands) == FAILURES_SHOWN + 3
    for command in commands:
        assert command[:-1] == ["mexica", "log", "show", "it's mine.jsonl", "--game"]
        assert command[-1] in failed
    article = next(article for article in page.find("article") if article.one("h3").text == "red�")
    others = article.find("details")[-1]
    assert others.one("summary").text == "11 more games with crash"
    assert others.one("code").text.split() == [f.game for f in summary.failures if f.kind == "crash"][FAILURES_SHOWN:]


def test_what_was_no_bots_fault_stands_apart(page: Node) -> None:
    article = page.one("article", id="faults-arena")
    assert "arena in game 9-2, void: the worker died" in article.text


def test_thousands_of_failures_dont_make_a_page_of_megabytes() -> None:
    fault = Fault(kind="crash", reason="it fell " * 20)
    games = [(("ann", "bob"), result(f"{n}-1", [1, 2], {0: fault}, {0: "x" * 4096})) for n in range(3000)]
    assert len(html(summarise([log_of(games)]))) < 200_000


# ---- less and more ---------------------------------------------------------------------------------------------------


def test_what_there_is_nothing_of_is_left_out() -> None:
    page = Page.read(html(summarise([Log("empty.jsonl", header(), [])])))
    assert section_ids(page) == ["logs", "methods"]
    calm = Page.read(html(summarise([log_of(list(league(("ann", "bob", "cyd"), 3, 2)))])))
    assert section_ids(calm) == [
        *("standings", "ratings", "pairs", "endings", "time", "seats", "programs", "logs", "methods")
    ]
    assert not calm.find("div", class_="alarm")
    assert [link["href"] for link in calm.one("nav").find("a")] == [f"#{key}" for key in section_ids(calm)]


def test_bots_without_a_game_or_an_opponent() -> None:
    page = Page.read(html(summarise([Log("empty.jsonl", header("ann", "bob"), [])])))
    assert [cells[1:] for cells in rows(page, "standings")] == [[bot, "0", *"––––"] for bot in ("ann", "bob")]
    assert "ratings" not in section_ids(page)


def test_groups_that_never_met_have_plots_of_their_own() -> None:
    games = [((a, b), result(f"{n}-1", [n % 3, 1])) for a, b in (("ann", "bob"), ("cyd", "dan")) for n in range(6)]
    page = Page.read(html(summarise([log_of(games)], Settings(anchor=("ann", 2000.0), order=Order.RATING))))
    first, second = page.one("section", id="ratings").find("table")
    assert first.one("caption").text.startswith("Group 1. ")
    assert first.find("bdi")[0].text in {"ann", "bob"}
    axis = [float(tick.text) for tick in first.find("text")]
    assert min(axis) > 1000
    assert {head.one("bdi").text for head in second.find("th")} == {"cyd", "dan"}


# ---- colours ---------------------------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture(params=["light", "dark"])
def colours(request: pytest.FixtureRequest) -> dict[str, str]:
    """The named colours of a theme."""
    light, dark = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    named = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    return named if request.param == "light" else named | dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark))


def test_everything_is_readable_in_light_and_dark(colours: dict[str, str]) -> None:
    pairs = [(f"h{step}", f"h{step}-ink") for step in range(11)]
    pairs += [("page", ink) for ink in ("ink", "soft", "link", "bad")]
    pairs += [("panel", "ink"), ("panel", "soft"), ("bad-page", "ink"), ("bad-page", "bad"), ("bad-page", "link")]
    weak = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 4.5} == {}


def test_wins_and_losses_differ_in_blue_which_all_can_tell(colours: dict[str, str]) -> None:
    """Who can't tell red from green can tell blue from yellow: losses have little blue, wins more of it than of red."""
    for step in range(5):
        assert int(colours[f"h{step}"][5:], 16) < int(colours[f"h{step}"][1:3], 16)
        assert int(colours[f"h{10 - step}"][5:], 16) > int(colours[f"h{10 - step}"][1:3], 16)
