"""The table at the end: readable for people on any width, plain in a pipe."""

from __future__ import annotations

import io

import pytest
from msgspec.structs import replace
from terminalkit import Terminal, set_terminal

from mexica_cli.arena.tally import Tally
from mexica_cli.record.lines import Latency, ResultLine
from mexica_cli.view.console import console_for
from mexica_cli.view.standings import print_standings
from mexica_cli.wire.messages import Fault

LATENCY = Latency(decisions=420, median_us=81, p99_us=140, max_us=2075)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns that knows colours."""
    set_terminal(monkeypatch)


def result(ranking: list[int], scores: list[int], faults: dict[int, str], ms: float = 1500.0) -> ResultLine:
    seats = range(len(ranking))
    return ResultLine(
        match="1-1",
        outcome="forfeit" if faults else "finished",
        ranking=ranking,
        scores=scores,
        reasons=[Fault(kind=faults[seat], reason="too bad") if seat in faults else None for seat in seats],
        actions=100,
        digest="",
        stale=[0] * len(ranking),
        stderr=[None] * len(ranking),
        used_ms=[ms * (seat + 1) for seat in seats],
    )


def void() -> ResultLine:
    return ResultLine(
        match="1-1",
        outcome="void",
        ranking=[],
        scores=[],
        reasons=[],
        actions=0,
        digest="",
        stale=[],
        stderr=[],
    )


def tally_of(*names: str) -> Tally:
    """Three games among those bots, two of them with forfeits, and a void one."""
    tally, seats = Tally(names), len(names)
    tally.add(names, result(list(range(1, seats + 1)), list(range(100, 100 - seats, -1)), {}))
    tally.add(names, result([1] * (seats - 1) + [seats], [50] * seats, {seats - 1: "timeout"}))
    tally.add(names, result([1] * (seats - 1) + [seats], [50] * seats, {seats - 1: "crash"}, ms=0.25))
    tally.add(names, void())
    return tally


def test_hold_ups_are_told() -> None:
    latency = replace(LATENCY, held_up=2, held_up_ms=5250)
    assert "arena: held up 2x while bots were asked, 5.2 s in all" in printed(io.StringIO(), Tally([]), latency)
    assert "held up" not in printed(io.StringIO(), Tally([]))


def printed(stream: io.StringIO, tally: Tally, latency: Latency | None = LATENCY) -> str:
    print_standings(console_for(stream), tally, 42, latency)
    return stream.getvalue()


def test_all_of_it() -> None:
    lines = [line.rstrip() for line in printed(io.StringIO(), tally_of("ann", "bob")).splitlines()]
    assert lines == [
        "                          points              time  longest",
        "bot  games  wins  wins %  a game  1st  2nd  a game     game",
        "ann      3     3   100.0    66.7    3    0  1.00 s   1.50 s",
        "bob      3     0     0.0    66.3    0    3  2.00 s   3.00 s",
        "forfeits: bob 1 crash, 1 timeout",
        "games: 3 played, 300 actions (1 finished, 1 forfeit: crash, 1 forfeit: timeout, 1 void)",
        "arena: 81 µs of its own a decision (median), 140 µs (99th percentile), 2075 µs (most), 420 decisions",
        "seed: 42",
        "bob forfeited 1-1: too bad",
        "`mexica check BOT` says more.",
    ]


def test_the_last_words_of_a_bot_that_forfeited_are_shown_and_safe() -> None:
    tally = Tally(["ann", "bob"])
    crash = replace(
        result([1, 2], [9, 0], {1: "crash"}),
        reasons=[None, Fault(kind="crash", reason="it\x1b[31m crashed")],
        stderr=[None, "Traceback\nValueError: \x1b[2Jno such action\n\n"],
    )
    tally.add(["ann", "bob"], crash)
    tally.add(["ann", "bob"], replace(crash, match="1-2", stderr=[None, "later"]))
    assert printed(io.StringIO(), tally, None).partition("seed: 42\n")[2].splitlines() == [
        "bob forfeited 1-1: it�[31m crashed",
        "  ValueError: �[2Jno such action",
        "`mexica check BOT` says more.",
    ]


def test_every_bot_that_forfeited_is_explained() -> None:
    tally = Tally(["ann", "bob", "cyd"])
    tally.add(["bob", "cyd", "ann"], result([1, 2, 3], [9, 1, 0], {1: "timeout", 2: "crash"}))
    assert printed(io.StringIO(), tally, None).partition("seed: 42\n")[2].splitlines() == [
        "cyd forfeited 1-1: too bad",
        "ann forfeited 1-1: too bad",
        "`mexica check BOT` says more.",
    ]


def test_four_bots_fit_on_eighty_columns() -> None:
    text = printed(io.StringIO(), tally_of("random", "greedy", "random#2", "champion"), None)
    table = text.partition("forfeits:")[0].splitlines()
    assert len(table) == 6
    assert max(map(len, table)) <= 80
    assert "…" not in text


@pytest.mark.parametrize("name", ["x" * 64, "long-name" * 7])
def test_nothing_is_wrapped_or_cut_in_a_pipe(name: str) -> None:
    names = [name[:-1] + letter for letter in "abcd"]
    tally = tally_of(*names)
    for kind in ("illegal", "disconnect", "protocol", "oversize", "memory"):
        tally.add(names, result([1, 2, 3, 4], [1, 1, 1, 1], {3: kind, 2: kind}))
    lines = printed(io.StringIO(), tally).splitlines()
    assert len(lines) == 2 + len(names) + 4 + 3
    assert all(any(line.startswith(f"{name} ") for line in lines) for name in names)
    assert not any("…" in line for line in lines)


def test_on_a_narrow_terminal_names_are_folded_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    tally = tally_of("x" * 64, "bob", "cyd", "dan")
    tally.bots["bob"].longest_game_ms = 1_234_560
    table = printed(Terminal(), tally, None).partition("forfeits:")[0]
    assert table.count("x") == 64
    assert " 1234.56 s" in table
    assert "…" not in table
    assert max(map(len, table.splitlines())) <= 80


def test_colours_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = tally_of("ann", "bob")
    assert "\x1b[1m" in printed(Terminal(), tally)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in printed(io.StringIO(), tally)


def test_shares_of_wins_are_shown_and_large_numbers_in_full() -> None:
    tally = Tally(["ann", "bob", "cyd"])
    tally.add(["ann", "bob", "cyd"], result([1, 1, 1], [1, 1, 1], {}))
    tally.bots["ann"].wins = 123456.0
    tally.bots["bob"].wins = 20.5
    text = printed(io.StringIO(), tally)
    assert " 123456 " in text
    assert " 20.50 " in text
    assert " 0.33 " in text


def test_without_a_game_that_counts_there_is_no_table() -> None:
    tally = Tally(["ann", "bob"])
    assert printed(io.StringIO(), tally, None) == "games: 0 played, 0 actions\nseed: 42\n"
    tally.add(["ann", "bob"], void())
    assert printed(io.StringIO(), tally, None) == "games: 0 played, 0 actions (1 void)\nseed: 42\n"


def test_without_forfeits_there_is_no_line_of_them() -> None:
    tally = Tally(["ann", "bob"])
    tally.add(["ann", "bob"], result([1, 2], [2, 1], {}))
    text = printed(io.StringIO(), tally)
    assert "forfeit" not in text
    assert "mexica check" not in text


def test_a_team() -> None:
    tally = Tally(["ann", "bob"])
    for won in (True, False, False):
        tally.add(["ann", "bob"], replace(result([2 - won] * 2, [9, 9], {}), won=won))
    lines = [line.rstrip() for line in printed(io.StringIO(), tally, None).splitlines()]
    assert lines == [
        "                          points    time  longest",
        "bot  games  wins  wins %  a game  a game     game",
        "ann      3     1    33.3     9.0  1.50 s   1.50 s",
        "bob      3     1    33.3     9.0  3.00 s   3.00 s",
        "team: won 1 of 3 games, 33.3 %",
        "games: 3 played, 300 actions (3 finished)",
        "seed: 42",
    ]
