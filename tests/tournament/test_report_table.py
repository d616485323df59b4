"""The report as text: everything labelled, 80 columns on a terminal, nothing cut in a pipe."""

from __future__ import annotations

import io

import pytest
from terminalkit import Terminal, set_terminal
from tournament.reported import eventful, header, held_up, league, log_of, result

from mexica_cli.tournament.report_table import print_table
from mexica_cli.tournament.report_text import plain
from mexica_cli.tournament.summary import Log, Settings, Summary, summarise
from mexica_cli.view.console import console_for

NAMES = ("random", "greedy", "planner", "random#2")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns without colours."""
    set_terminal(monkeypatch, "dumb")


def printed(summary: Summary, stream: io.StringIO | None = None) -> str:
    stream = stream or io.StringIO()
    print_table(console_for(stream), summary)
    return stream.getvalue()


def part(text: str, heading: str) -> list[str]:
    """The lines under a heading."""
    blocks = [block.splitlines() for block in text.split("\n\n")]
    [found] = [lines for lines in blocks if lines[0].startswith(heading)]
    return [line.rstrip() for line in found[1:]]


def test_a_league_of_two() -> None:
    log = log_of(list(league(("ann", "bob"), 2, 20)))
    text = printed(summarise([log], Settings(title="cup", format="round robin")))
    assert text.splitlines()[:4] == [
        "cup",
        "round robin",
        "game nim, rules plain, board round, clock 1.5 s a turn, seed 7, program mexica 0.1.0",
        "40 games played in 20 blocks, 2000 actions",
    ]
    assert part(text, "Standings, by win rate") == [
        "                      wins %  points a game         rating (Elo,",
        "bot  games              95 %           95 %  Bradley-Terry) 95 %",
        "ann     40  53.8 (38.4–68.4)     60.8 ± 3.3             +13 ± 54",
        "bob     40  46.2 (31.6–61.6)     55.9 ± 4.2             -13 ± 54",
    ]
    assert part(text, "Head to head, over all games in which both sat") == [
        "                                 ahead %, ties half",
        "bot  other  ahead  tied  behind                95 %",
        "ann  bob       21     1      18    53.8 (38.4–68.4)",
    ]
    assert part(text, "How games ended") == ["ending    games", "finished     40"]


def test_every_number_is_labelled_with_its_model() -> None:
    text = printed(summarise([log_of(list(league(("ann", "bob"), 2, 20)))]))
    models = " ".join(part(text, "How the numbers are made"))
    words = ["bot", "other", "95", "%", "95", "%", "LOS", "%"]
    assert part(text, "Games of two")[1].split() == [*words, "0", "½", "1", "1½", "2"]
    for model in ("Wilson", "Student", "Bradley-Terry", "Bootstrap", "pentanomial", "Likelihood of superiority"):
        assert model in models


def tables(text: str) -> list[str]:
    """All lines but those of running text, which a terminal wraps by itself."""
    cut = text.partition("\nNotes")[0].partition("\nHow the numbers")[0]
    return [line for line in cut.splitlines() if not line.startswith(("game", "arena"))]


@pytest.mark.parametrize("seats", [2, 4])
def test_four_bots_fit_on_eighty_columns(seats: int) -> None:
    text = printed(summarise([log_of(list(league(NAMES, seats, 6)))]), Terminal())
    assert max(map(len, tables(text))) <= 80
    assert "…" not in text
    assert all(name in text for name in NAMES)


@pytest.mark.parametrize("columns", [66, 80])
def test_on_a_narrow_terminal_names_are_folded_and_no_number_is_lost(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")  # a dumb one has 80
    monkeypatch.setenv("COLUMNS", str(columns))
    summary = summarise([log_of(list(league(("x" * 64, "bob"), 2, 6)))])
    wide, narrow = printed(summary), plain(printed(summary, Terminal()), keep="\n")
    assert max(map(len, tables(narrow))) <= columns
    assert "".join(part(narrow, "Standings")).count("x") == 64
    numbers = [word for word in " ".join(part(wide, "Standings")).split() if any(c.isdigit() for c in word)]
    assert [word for word in " ".join(part(narrow, "Standings")).split() if any(c.isdigit() for c in word)] == numbers


def test_nothing_in_it_drives_a_terminal() -> None:
    log, settings = eventful()
    text = printed(summarise([log], settings))
    assert all(c.isprintable() or c == "\n" for c in text)
    assert "<script>alert(1)</script>" in text
    assert "…" not in text


def test_who_forfeited_is_easy_to_see() -> None:
    log, settings = eventful()
    faults = part(printed(summarise([log], settings)), "Faults")
    assert [line.partition(";")[0] for line in faults] == [
        "red�: 16 crash",
        "שלום: 1 timeout",
        f"{'long-' * 12}: never started in 1 void game",
    ]
    assert all(f"mexica log show {chr(39)}it" in line for line in faults)


def test_that_the_arena_was_held_up_is_said_only_where_it_was() -> None:
    games = [(("ann", "bob"), held_up(result("1-1", [1, 2]), 2, 4250)), (("bob", "ann"), result("1-2", [1, 2]))]
    assert printed(summarise([log_of(games[1:])])).count("arena: ") == 1
    lines = part(printed(summarise([log_of(games)])), "Time used")
    assert [line for line in lines if line.startswith("arena: held up")] == [
        "arena: held up 2x while bots were asked, 4.2 s in all, which isn't charged to them"
    ]


def test_test_and_tables_of_the_format() -> None:
    log, settings = eventful()
    text = printed(summarise([log], settings))
    assert part(text, "SPRT of")[0].startswith("undecided: log-likelihood ratio")
    assert len(part(text, "Swiss table")) == 2 + 6
    assert part(text, "Knockout")[1] == "stage 2: <script>alert(1)</script> beat �drow� (by seed)"


def test_what_there_is_nothing_of_is_left_out() -> None:
    text = printed(summarise([Log("empty.jsonl", header(), [])]))
    headings = [block.splitlines()[0] for block in text.split("\n\n")]
    assert headings == ["empty.jsonl", "How the numbers are made"]


def test_bots_that_never_played_are_listed() -> None:
    text = printed(summarise([Log("empty.jsonl", header("ann", "bob"), [])]))
    assert [line.split() for line in part(text, "Standings")[2:]] == [
        [bot, "0", "-", "-", "-"] for bot in ("ann", "bob")
    ]


def test_several_logs_are_told_apart() -> None:
    games = list(league(("ann", "bob"), 2, 2))
    lines = printed(summarise([log_of(games, "a.jsonl"), log_of(games, "b.jsonl", seed=9)])).splitlines()
    assert lines[1].startswith("a.jsonl: 4 games; game nim")
    assert lines[2].startswith("b.jsonl: 4 games; game nim")
    assert "seed 9" in lines[2]
