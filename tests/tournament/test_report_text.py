"""The words and numbers of reports."""

from __future__ import annotations

import shlex
from math import inf

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament.reported import eventful, header, league, log_of, result

from mexica_cli.record.lines import ClockSetting
from mexica_cli.tournament.intervals import Estimate
from mexica_cli.tournament.ratings import Rating
from mexica_cli.tournament.report_text import (
    clock_text,
    conditions,
    elo_text,
    ending_text,
    faults_text,
    finite,
    known,
    latency_text,
    mean_text,
    methods,
    percent,
    plain,
    played,
    rate_text,
    show_command,
    signed,
    sprt_name,
    sprt_state,
    title,
)
from mexica_cli.tournament.summary import Log, Settings, summarise


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("greedy#2", "greedy#2"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\x07b\rc\x00", "a�b�c�"),
        ("\u202edrow\u2066", "�drow�"),
        ("\x9b31m", "�31m"),
        ("שלום", "שלום"),
    ],
)
def test_nothing_that_drives_a_terminal_is_left(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_what_is_to_be_kept_is_kept() -> None:
    assert plain("a\n\tb\r", keep="\n\t") == "a\n\tb�"


@given(st.text())
def test_plain_text_is_printable_and_stays_as_it_is(text: str) -> None:
    shown = plain(text)
    assert shown.isprintable()
    assert plain(shown) == shown


@pytest.mark.parametrize(
    ("part", "text"),
    [(0.0, "0.0"), (0.0001, "<0.1"), (0.5124, "51.2"), (0.99951, ">99.9"), (0.9994, "99.9"), (1.0, "100.0")],
)
def test_only_all_is_all_and_only_nothing_is_nothing(part: float, text: str) -> None:
    assert percent(part) == text


def test_numbers_with_their_intervals() -> None:
    assert rate_text(Estimate(0.512, 0.44, 0.584)) == "51.2 (44.0–58.4)"
    assert mean_text(Estimate(128.21, 125.1, 131.32)) == "128.2 ± 3.1"
    assert mean_text(Estimate(12.0, -inf, inf)) == "12.0 ± ∞"


@pytest.mark.parametrize(
    ("elo", "text"),
    [
        (Estimate(212.4, 179.4, 245.4), "+212 ± 33"),
        (Estimate(-12.34, -14.74, -9.94), "-12.3 ± 2.4"),
        (Estimate(-0.2, -40.2, 39.8), "0 ± 40"),
        (Estimate(12.0, -inf, inf), "+12 ± ∞"),
        (Estimate(inf, 123.4, inf), "+∞ (+123 to +∞)"),
        (Estimate(-inf, -inf, -5.0), "-∞ (-∞ to -5)"),
    ],
)
def test_elo(elo: Estimate, text: str) -> None:
    assert elo_text(elo) == text


def test_signs() -> None:
    assert [signed(0.4), signed(-0.4), signed(1.0), signed(-3.0), signed(0.04, 1)] == ["0", "0", "+1", "-3", "0.0"]


def test_of_a_rating_that_is_not_firm_nothing_is_known() -> None:
    rating = Rating("ann", Estimate(400.0, 390.0, 410.0), 10, 0, firm=True)
    assert known(rating) == rating.elo
    assert known(Rating("ann", rating.elo, 10, 0, firm=False)) == Estimate(400.0, -inf, inf)


@pytest.mark.parametrize(
    ("clock", "text"),
    [
        (ClockSetting(move_ms=10_000), "10 s a turn"),
        (ClockSetting(bank_ms=60_000, increment_ms=500), "60 s + 0.5 s a turn"),
        (ClockSetting(bank_ms=300_000), "300 s + 0 s a turn"),
        (ClockSetting(bank_ms=60_000, increment_ms=0, move_ms=1500), "60 s + 0 s a turn, at most 1.5 s a turn"),
        (ClockSetting(), "no limit"),
    ],
)
def test_clocks(clock: ClockSetting, text: str) -> None:
    assert clock_text(clock) == text


def test_conditions() -> None:
    assert dict(conditions(header("ann"))) == {
        "game": "nim",
        "rules": "plain",
        "board": "round",
        "clock": "1.5 s a turn",
        "seed": "7",
        "program": "mexica 0.1.0",
    }


@pytest.mark.parametrize("log", ["games.jsonl", "it's mine.jsonl", "$(rm -rf /).jsonl", "-", "a\nb"])
@pytest.mark.parametrize("game", ["1-1", "ann+bob.3-2", "x;y-1", "'-1"])
def test_the_command_is_safe_in_a_shell(log: str, game: str) -> None:
    assert shlex.split(show_command(log, game)) == ["mexica", "log", "show", log, "--game", game]


def test_a_log_is_never_taken_for_an_option() -> None:
    assert show_command("--help", "1-1") == "mexica log show ./--help --game 1-1"


def test_titles() -> None:
    games = list(league(("ann", "bob"), 2, 1))
    assert title(summarise([log_of(games, "a.jsonl"), log_of(games, "-")])) == "a.jsonl, standard input"
    assert title(summarise([log_of(games)], Settings(title="cup\x07"))) == "cup�"
    assert title(summarise([])) == "no games"


def test_what_was_played() -> None:
    assert played(summarise([log_of(list(league(("ann", "bob"), 2, 2)))])) == "4 games played in 2 blocks"
    one = log_of([(("ann", "bob"), result("1-1", [1, 2]))])
    assert played(summarise([one], Settings(planned=1))) == "1 of 1 game played in 1 block"
    shared = log_of([((bot, bot), result(f"{bot}@1-1", [1, 1])) for bot in ("ann", "bob")])
    assert played(summarise([shared])) == "2 games played in 2 blocks of 1 deal"
    log, settings = eventful()
    assert played(summarise([log], settings)).endswith("2 void")


def test_faults() -> None:
    log, settings = eventful()
    summary = summarise([log], settings)
    assert [faults_text(faults) for faults in summary.faults if faults_text(faults)] == [
        "16 crash; withdrawn: five crashes in a row",
        "1 timeout",
        "never started in 1 void game",
    ]
    slips = msgspec.structs.replace(result("1-1", [1, 2]), stale=[1, 0], unknown=[2, 1])
    summary = summarise([log_of([(("ann", "bob"), slips)])])
    assert [faults_text(faults) for faults in summary.faults] == [
        "1 stale; 2 messages of unknown type",
        "1 message of unknown type",
    ]


def test_endings() -> None:
    log, settings = eventful()
    summary = summarise([log], settings)
    assert [ending_text(ending) for ending in summary.endings] == [
        "finished",
        "forfeit: crash",
        "forfeit: timeout",
        "void: arena",
        "void: startup",
    ]


def test_the_test_names_its_model_and_bounds() -> None:
    log, settings = eventful()
    report = summarise([log], settings).sprt
    assert report is not None
    name = sprt_name(report)
    assert "normalised Elo: H0 0, H1 20, alpha 0.05, beta 0.05" in name
    assert "\x1b" not in name
    assert sprt_state(report) == "undecided: log-likelihood ratio 0.82 in (-2.94, 2.94) after 11 pairs"


def test_latency_says_what_it_is() -> None:
    latency = summarise([log_of(list(league(("ann", "bob"), 2, 1)))]).latency
    assert latency is not None
    assert latency_text(latency).startswith("60 µs of its own a decision (median of the games' medians), 200 µs")


def test_every_model_is_named() -> None:
    log, settings = eventful()
    assert {"interval", "wins", "points", "rating", "elo", "normalised_elo", "los", "sprt"} <= methods(
        summarise([log], settings)
    ).keys()
    assert methods(summarise([Log("a", header("ann"), [])])).keys() == {"interval", "wins", "beaten", "points"}
    anchored = summarise([log_of(list(league(("ann", "bob"), 2, 2)))], Settings(anchor=("bob", 1200.0)))
    assert "bob is fixed at 1200" in methods(anchored)["rating"]


def test_finite_values() -> None:
    assert finite([inf, 2.0, -1.0, -inf]) == (-1.0, 2.0)
    assert finite([inf]) == (0.0, 0.0)
