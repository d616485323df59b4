"""Running a tournament: the log's order, stopping and going on, and what follows from results."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament.staged import Stage, at_random, games_of, lines_of, run, seats_of, tournament
from trio.testing import MockClock

from mexica_cli.record.reader import LogError, open_log
from mexica_cli.record.verify import verify
from mexica_cli.tournament.config import Tournament
from mexica_cli.tournament.directory import Busy, Directory
from mexica_cli.tournament.runner import AHEAD, Ledger, RunFailed, Runner

pytestmark = pytest.mark.usefixtures("nim")

CASES: dict[str, Any] = {
    "two bots": lambda: tournament("a", "b", games=9),
    "round robin": lambda: tournament("a", "b", "c", "strong", games=30),
    "league of three": lambda: tournament("a", "b", "c", "d", "e", seats=3, games=33),
    "all seatings": lambda: tournament("a", "b", "c", "d", seats=4, seatings="all", games=26),
    "gauntlet": lambda: tournament("a", "b", "c", "d", format="gauntlet", challengers=["d"], games=20),
    "teams": lambda: tournament("a", "b", "c", format="teams", seats=3, games=12),
    "mixed teams": lambda: tournament("a", "b", "c", "d", format="mixed-teams", seats=2, games=24),
    "swiss": lambda: tournament("a", "b", "strong", "late", "shaky", format="swiss", rounds=4),
    "knockout": lambda: tournament("a", "b", "strong", "late", "crash", format="knockout", blocks=2),
    "test": lambda: tournament("strong", "a", games=400, sprt={"elo0": 0, "elo1": 100, "model": "logistic"}),
    "bad bots": lambda: tournament(
        "crash", "absent", "late", "rude", "shaky", "strong", "a", games=90, withdraw_after=4
    ),
    "only bad bots": lambda: tournament("crash", "absent", "absent2", "crash2", seats=3, games=40, withdraw_after=2),
}


@cache
def case(name: str) -> Tournament:
    made: Tournament = CASES[name]()
    return made


@cache
def reference(name: str) -> list[dict[str, Any]]:
    """The log of a run without anything special."""
    with tempfile.TemporaryDirectory() as folder:
        directory = Directory(Path(folder))
        assert run(case(name), directory)
        return lines_of(directory)


@cache
def reference_bytes(name: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        directory = Directory(Path(folder))
        assert run(case(name), directory)
        return directory.log.read_bytes()


# ---- the log's order -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=8)
@given(slots=st.integers(1, 5), seed=st.integers(0, 999))
def test_the_log_is_the_same_whatever_the_slots_and_the_order_of_ends(name: str, slots: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(slots, at_random(seed))
        assert run(case(name), Directory(Path(folder)), stage)
        assert lines_of(Directory(Path(folder))) == reference(name)
        assert stage.most <= slots
        assert stage.running == 0


@pytest.mark.parametrize("name", CASES)
def test_the_log_verifies_and_no_game_is_there_twice(name: str, directory: Directory) -> None:
    run(case(name), directory, Stage(3, at_random(1)))
    with open_log(str(directory.log)) as log:
        verify(log)
    played = [match for match, outcome in games_of(directory) if outcome != "void"]
    assert len(played) == len(set(played))


@pytest.mark.parametrize("name", ["two bots", "round robin", "league of three", "gauntlet", "teams", "mixed teams"])
def test_as_many_games_as_asked_for_are_played(name: str, directory: Directory) -> None:
    run(case(name), directory, Stage(4, at_random(2)))
    assert len(games_of(directory)) == case(name).file.games


def test_games_that_wait_for_a_long_one_are_not_many(directory: Directory) -> None:
    """The first game takes for ever: of the others, no more are played than may wait to be written."""
    slots, written = 3, []
    stage = Stage(slots, lambda match: 1e9 if match == "a+b.1-1" else 1.0)

    def stopping() -> bool:
        written.append((len(stage.begun), len(games_of(directory))))
        return False

    run(tournament("a", "b", games=100), directory, stage, stopping)
    assert max(begun for begun, done in written if done == 0) == slots * AHEAD - 1
    assert stage.most == slots
    assert len(games_of(directory)) == 100


def test_all_slots_are_used(directory: Directory) -> None:
    stage = Stage(4)
    run(tournament("a", "b", games=40), directory, stage)
    assert stage.most == 4


# ---- stopping and going on -------------------------------------------------------------------------------------------


def assert_gone_on_with(directory: Directory, name: str) -> None:
    """The log is that of a run without anything special, and after that, bots that don't start were tried again."""
    lines, whole = lines_of(directory), reference(name)
    assert lines[: len(whole)] == whole
    assert all(line["type"] in ("game", "result") for line in lines[len(whole) :])
    assert all(line["outcome"] == "void" for line in lines[len(whole) :] if line["type"] == "result")


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=8)
@given(slots=st.integers(1, 4), seed=st.integers(0, 999), after=st.integers(0, 60))
def test_stopping_finishes_what_runs_and_the_next_run_goes_on(name: str, slots: int, seed: int, after: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        directory, stage = Directory(Path(folder)), Stage(slots, at_random(seed))
        finished = run(case(name), directory, stage, lambda: len(stage.begun) >= after)
        assert len(stage.begun) <= after or finished
        lines = lines_of(directory)
        assert lines == reference(name)[: len(lines)]
        assert finished == (lines == reference(name))
        assert run(case(name), directory, Stage(slots, at_random(seed + 1)))
        assert_gone_on_with(directory, name)


def test_nothing_that_was_begun_is_lost(directory: Directory) -> None:
    stage = Stage(4, at_random(5))
    assert not run(tournament("a", "b", games=100), directory, stage, lambda: len(stage.begun) >= 30)
    assert [match for match, _ in games_of(directory)] == stage.begun
    assert len(stage.begun) == 30


def test_a_run_that_is_finished_plays_nothing(directory: Directory) -> None:
    plan = case("round robin")
    run(plan, directory)
    before, stage = directory.log.read_bytes(), Stage()
    assert run(plan, directory, stage)
    assert stage.begun == []
    assert directory.log.read_bytes() == before


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=10)
@given(cut=st.floats(0, 1), slots=st.integers(1, 4), seed=st.integers(0, 999))
def test_a_log_cut_at_any_byte_is_gone_on_with(name: str, cut: float, slots: int, seed: int) -> None:
    whole = reference_bytes(name)
    with tempfile.TemporaryDirectory() as folder:
        directory = Directory(Path(folder))
        directory.log.write_bytes(whole[: round(cut * len(whole))])
        assert run(case(name), directory, Stage(slots, at_random(seed)))
        assert_gone_on_with(directory, name)


@settings(max_examples=20)
@given(cut=st.integers(0, 1500))
def test_a_log_cut_near_its_start_is_gone_on_with(cut: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        directory = Directory(Path(folder))
        directory.log.write_bytes(reference_bytes("bad bots")[:cut])
        assert run(case("bad bots"), directory)
        assert_gone_on_with(directory, "bad bots")


def test_two_runs_at_once_are_refused(directory: Directory) -> None:
    with directory.claimed(), pytest.raises(Busy, match=f"process {os.getpid()} runs this tournament now"):
        run(case("two bots"), directory)
    assert run(case("two bots"), directory)


# ---- a file that has changed -----------------------------------------------------------------------------------------


def test_games_can_be_added(directory: Directory) -> None:
    run(tournament("a", "b", "c", games=10), directory)
    before = directory.log.read_bytes()
    assert run(tournament("a", "b", "c", games=25), directory, Stage(3, at_random(0)))
    assert directory.log.read_bytes().startswith(before)
    assert len(games_of(directory)) == 25


def test_fewer_games_than_are_played_are_no_fault(directory: Directory) -> None:
    run(tournament("a", "b", games=10), directory)
    stage = Stage()
    assert run(tournament("a", "b", games=4), directory, stage)
    assert stage.begun == []


def test_a_bot_can_be_added(directory: Directory) -> None:
    run(tournament("a", "b", games=6), directory)
    old = games_of(directory)
    assert run(tournament("new", "a", "b", games=18), directory, Stage(2, at_random(0)))
    assert games_of(directory)[:6] == old
    assert [seats for seats in seats_of(directory)[6:] if "new" not in seats] == []
    assert len(seats_of(directory)) == 18
    with open_log(str(directory.log)) as log:
        verify(log)
        assert log.header is not None
        assert [bot.name for bot in log.header.bots] == ["a", "b", "new"]


def test_a_bot_that_was_added_and_a_run_that_was_broken_off(directory: Directory, tmp_path: Path) -> None:
    other = Directory(tmp_path / "other")
    for place, stops in ((directory, 3), (other, 99)):
        run(tournament("a", "b", games=6), place)
        stage = Stage(2)
        run(tournament("a", "b", "c", games=18), place, stage, lambda: len(stage.begun) >= stops)  # noqa: B023
        run(tournament("a", "b", "c", games=18), place, Stage(3))
    assert lines_of(directory) == lines_of(other)


def test_a_bot_that_left_stays_in_the_log(directory: Directory) -> None:
    run(tournament("a", "b", "c", games=12), directory)
    assert run(tournament("a", "b", games=8), directory)
    assert [seats for seats in seats_of(directory)[12:] if "c" in seats] == []
    assert len(games_of(directory)) == 12 + 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 8}, "seed: 7 in the log, 8 now"),
        ({"options": {"most": 2}}, "options.most: 3 in the log, 2 now"),
        ({"move_time": "5s"}, "clock.move_ms: 10000 in the log, 5000 now"),
        ({"time": "60+1"}, "clock.bank_ms: nothing in the log, 60000 now"),
        ({"ready": "1s"}, "limits.ready_ms: 10000 in the log, 1000 now"),
        ({"memory_mb": 0}, "limits.memory_bytes: 2147483648 in the log, null now"),
        (
            {"bots": [{"name": "a", "command": "greedy"}, {"name": "b", "command": "random"}]},
            'bots.a.command: "random"',
        ),
    ],
)
def test_changed_settings_are_refused_with_the_difference(
    change: dict[str, Any], said: str, directory: Directory
) -> None:
    run(tournament("a", "b", games=6), directory)
    before = directory.log.read_bytes()
    with pytest.raises(LogError) as caught:
        run(tournament("a", "b", games=8, **change), directory)
    assert said in str(caught.value)
    assert "restore them, give a changed bot a new name, or reset" in str(caught.value)
    assert directory.log.read_bytes() == before


def test_a_bot_whose_program_has_changed_is_refused(
    directory: Directory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "bot.py"
    bots = [{"name": "a", "command": "bot.py"}, {"name": "b", "command": "random"}]
    program.write_text("first")
    run(tournament(bots=bots, games=2), directory)
    program.write_text("second")
    with pytest.raises(LogError, match=r"bots\.a\.sha256"):
        run(tournament(bots=bots, games=2), directory)
    program.write_text("first")
    assert run(tournament(bots=bots, games=2), directory)


@pytest.mark.parametrize(
    "change", [{"seatings": "all"}, {"format": "teams", "seats": 3}, {"format": "teams", "seats": 2}]
)
def test_other_seats_under_the_same_id_are_refused(change: dict[str, Any], directory: Directory) -> None:
    seats = {"format": "teams", "seats": 4} if "format" in change else {"seats": 3}
    run(tournament("a", "b", "c", games=12, **seats), directory)
    before = directory.log.read_bytes()
    with pytest.raises(RunFailed, match="in the log with the seats"):
        run(tournament("a", "b", "c", games=24, **{**seats, **change}), directory)
    assert directory.log.read_bytes() == before


def test_settings_that_the_games_do_not_depend_on_may_change(directory: Directory) -> None:
    run(tournament("a", "b", games=4), directory)
    bots = [{"name": "b", "command": "random", "startup": "1m", "memory_mb": 9}, {"name": "a", "command": "random"}]
    assert run(tournament(bots=bots, games=6, withdraw_after=1), directory)
    assert len(games_of(directory)) == 6


def test_after_a_reset_everything_is_new(directory: Directory) -> None:
    run(tournament("a", "crash", games=4), directory)
    assert directory.stderr.is_dir()
    with directory.claimed():
        directory.reset()
    assert directory.played() == []
    assert [path.name for path in directory.path.iterdir()] == ["lock"]
    assert run(tournament("a", "b", games=4, seed=8), directory)


# ---- bots that fail --------------------------------------------------------------------------------------------------


def ledger(plan: Tournament, directory: Directory) -> Ledger:
    return Ledger(plan, directory.played())


def test_a_void_game_is_played_again_under_its_id(directory: Directory) -> None:
    plan = tournament("a", "late", games=12)
    run(plan, directory)
    played = games_of(directory)
    void = [index for index, (_, outcome) in enumerate(played) if outcome == "void"]
    assert void
    assert all(played[index + 1] == (played[index][0], "finished") for index in void)
    assert len(played) == 12 + len(void)
    assert ledger(plan, directory).withdrawn == {}


def test_a_bot_that_never_starts_is_out_and_the_others_play_on(directory: Directory) -> None:
    plan = tournament("absent", "a", "b", games=18)
    assert run(plan, directory)
    played = games_of(directory)
    void = [match for match, outcome in played if outcome == "void"]
    assert len(void) == 2
    assert len(set(void)) == 1
    assert "absent" in void[0]
    assert ledger(plan, directory).withdrawn == {"absent": "it did not start: no licence"}
    assert seats_of(directory) == [("a", "b"), ("b", "a")] * 3


def renamed(directory: Directory, old: str, new: str) -> None:
    """As if the bot had always had that name, which sorts like the old one: it does what bots of that name do."""
    directory.log.write_text(directory.log.read_text().replace(f'"{old}', f'"{new}').replace(old, new))


def test_a_bot_that_did_not_start_is_tried_again_by_the_next_run_after_the_others(directory: Directory) -> None:
    """As after a run that was stopped before the others were through."""
    plan, stage = tournament("absent", "b", "c", games=18), Stage(1)
    assert not run(plan, directory, stage, lambda: len(stage.begun) >= 4)
    renamed(directory, "absent", "a")
    mended = tournament("a", "b", "c", games=18)
    assert set(ledger(mended, directory).withdrawn) == {"a"}
    before = len(games_of(directory))
    assert run(mended, directory)
    seats = [set(seats) for seats in seats_of(directory)]
    assert len(seats) == 18
    assert all("a" not in bots for bots in seats[:6])
    assert all("a" in bots for bots in seats[6:])
    assert games_of(directory)[before][1] != "void"
    assert ledger(mended, directory).withdrawn == {}


def test_a_bot_that_does_not_start_again_is_out_again_with_two_void_games_a_run(directory: Directory) -> None:
    plan = tournament("absent", "a", "b", games=18)
    for runs in (1, 2, 3):
        assert run(plan, directory)
        assert sum(outcome == "void" for _, outcome in games_of(directory)) == 2 * runs
        assert set(ledger(plan, directory).withdrawn) == {"absent"}


@pytest.mark.parametrize("fields", [{"format": "swiss", "rounds": 3}, {"format": "knockout"}])
def test_where_rounds_followed_from_it_a_bot_that_did_not_start_stays_out(
    fields: dict[str, Any], directory: Directory
) -> None:
    plan = tournament("absent", "a", "b", "c", **fields)
    assert run(plan, directory)
    before = games_of(directory)
    assert run(plan, directory)
    assert games_of(directory) == before


def test_games_of_the_schedule_that_are_left_out_are_counted(directory: Directory) -> None:
    assert left_out(tournament("absent", "a", "b", games=18), directory) == 12
    assert left_out(tournament("absent", "a", "b", games=15), directory) == 9
    assert left_out(tournament("a", "b", games=6), directory) == 0


def left_out(plan: Tournament, directory: Directory, **retry: Any) -> int:
    """Run the tournament; how many games it leaves out."""
    made: list[Runner] = []

    async def main() -> None:
        with directory.claimed(), directory.resume(plan.header()) as writer:
            made.append(Runner(plan, directory, Stage(), directory.played(), lambda seats, result: None, **retry))
            await made[0].run(writer, lambda: False)

    trio.run(main, clock=MockClock(autojump_threshold=0))
    return made[0].left_out


def test_a_bot_that_failed_plays_again_if_told_to(directory: Directory) -> None:
    plan = tournament("crash", "b", "d", games=30, withdraw_after=3)
    assert left_out(plan, directory) == 17
    renamed(directory, "crash", "c")
    mended = tournament("c", "b", "d", games=30, withdraw_after=3)
    assert left_out(mended, directory) == 17
    assert set(ledger(mended, directory).withdrawn) == {"c"}
    assert left_out(mended, directory, retry=["c"]) == 0
    assert ledger(mended, directory).withdrawn == {}
    assert left_out(mended, directory) == 0


def test_a_bot_that_was_told_to_and_fails_on_is_out_again(directory: Directory) -> None:
    plan = tournament("crash", "b", "c", games=30, withdraw_after=3)
    assert left_out(plan, directory) == 17
    assert left_out(plan, directory, retry=["crash"]) == 14
    assert ledger(plan, directory).withdrawn == {"crash": "it failed in 3 games in a row"}


# ---- lost games ------------------------------------------------------------------------------------------------------


def test_whoever_sits_in_every_lost_game_is_out_and_the_others_play_on(directory: Directory) -> None:
    plan = tournament("killer", "a", "b", games=18)
    assert run(plan, directory, Stage(2))
    lost = [match for match, outcome in games_of(directory) if outcome == "void"]
    assert len(lost) == 2
    assert seats_of(directory) == [("a", "b"), ("b", "a")] * 3
    why = f"it played in every game that was lost with its process, {', '.join(lost)}"
    assert ledger(plan, directory).withdrawn == {"killer": why}
    assert run(plan, directory, Stage(2))
    assert sum(outcome == "void" for _, outcome in games_of(directory)) == 4


def test_where_nobody_can_be_told_apart_the_bots_of_a_lost_game_do_not_meet_again(directory: Directory) -> None:
    plan, stage = tournament("killer", "a", games=12), Stage()
    assert not run(plan, directory, stage)
    assert len(stage.begun) == 1
    assert ledger(plan, directory).withdrawn == {}


def test_a_team_of_one_bot_that_loses_its_game_is_out_at_once(directory: Directory) -> None:
    plan = tournament("killer", "a", format="teams", seats=2, games=6)
    assert run(plan, directory)
    assert set(ledger(plan, directory).withdrawn) == {"killer"}
    assert len(seats_of(directory)) == 3


def test_a_bot_that_always_fails_is_out(directory: Directory, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tournament("crash", "a", "b", games=30, withdraw_after=3)
    assert run(plan, directory, Stage(4, at_random(3)))
    assert sum("crash" in seats for seats in seats_of(directory)) == 3
    assert ledger(plan, directory).withdrawn == {"crash": "it failed in 3 games in a row"}
    assert "it failed in 3 games in a row" in capsys.readouterr().err


@pytest.mark.parametrize("bot", ["rude", "shaky"])
def test_illegal_actions_or_failing_now_and_then_are_no_reason_to_leave(bot: str, directory: Directory) -> None:
    plan = tournament(bot, "a", games=40, withdraw_after=3)
    run(plan, directory)
    assert ledger(plan, directory).withdrawn == {}
    assert len(games_of(directory)) == 40


def test_without_bots_left_the_tournament_is_over(directory: Directory) -> None:
    assert run(case("only bad bots"), directory)
    assert run(case("only bad bots"), directory)


def test_a_swiss_tournament_goes_on_without_a_bot_that_is_out(directory: Directory) -> None:
    plan = tournament("absent", "a", "b", "c", format="swiss", rounds=3)
    assert run(plan, directory, Stage(2, at_random(0)))
    played = [seats for seats in seats_of(directory) if "absent" in seats]
    assert played == []
    assert set(ledger(plan, directory).withdrawn) == {"absent"}


def test_standard_error_of_bots_that_failed_is_kept(directory: Directory) -> None:
    run(tournament("crash", "a", games=2), directory)
    kept = {path.name: path.read_text() for path in directory.stderr.iterdir()}
    assert kept == {
        "a+crash.1-1.crash.txt": "crash fell in a+crash.1-1",
        "a+crash.1-2.crash.txt": "crash fell in a+crash.1-2",
    }


def test_an_arena_that_fails_once_costs_nothing(directory: Directory, tmp_path: Path) -> None:
    assert run(case("two bots"), directory, Stage(2, broken=[("a+b.2-1", 1)]))
    assert games_of(directory).count(("a+b.2-1", "void")) == 1
    assert len(games_of(directory)) == 9 + 1


def test_an_arena_that_fails_twice_stops_the_run_and_not_the_tournament(directory: Directory) -> None:
    broken = [("a+b.2-1", 1), ("a+b.2-1", 2)]
    with pytest.raises(RunFailed, match=r"game a\+b\.2-1 was void 2 times in a row: the worker died"):
        run(case("two bots"), directory, Stage(2, broken=broken))
    assert games_of(directory)[-2:] == [("a+b.2-1", "void"), ("a+b.2-1", "void")]
    assert ledger(case("two bots"), directory).withdrawn == {}
    assert run(case("two bots"), directory)
    counted = [line for line in games_of(directory) if line[1] != "void"]
    assert len(counted) == 9


@pytest.mark.parametrize("cut", [0, 1])
def test_attempts_are_counted_over_runs(cut: int, directory: Directory) -> None:
    """A run that is broken off between two attempts has one attempt left, and the log comes out the same."""
    broken = [("a+b.1-1", 1), ("a+b.1-1", 2)]
    with pytest.raises(RunFailed):
        run(case("two bots"), directory, Stage(1, broken=broken))
    whole = directory.log.read_bytes()
    lines = whole.splitlines(keepends=True)
    directory.log.write_bytes(b"".join(lines[: 3 + cut]))
    with pytest.raises(RunFailed):
        run(case("two bots"), directory, Stage(1, broken=broken))
    assert directory.log.read_bytes() == whole


# ---- what follows from results ---------------------------------------------------------------------------------------


def test_a_sequential_test_ends_the_match(directory: Directory) -> None:
    assert run(case("test"), directory, Stage(4, at_random(9)))
    decided = ledger(case("test"), directory)
    assert decided.is_decided
    assert len(decided.games) < 400
    assert len(decided.games) % 2 == 0
    assert not Ledger(case("test"), directory.played()[:-1]).is_decided


def test_a_test_that_is_decided_stays_so_with_more_games(directory: Directory) -> None:
    run(case("test"), directory)
    before = directory.log.read_bytes()
    more = tournament("strong", "a", games=4000, sprt={"elo0": 0, "elo1": 100, "model": "logistic"})
    assert run(more, directory)
    assert directory.log.read_bytes() == before


def test_told_to_stop_while_the_last_game_decides_it_is_finished(directory: Directory) -> None:
    run(case("test"), directory)
    number = len(games_of(directory))
    with directory.claimed():
        directory.reset()
    stage = Stage(1)
    assert run(case("test"), directory, stage, lambda: len(stage.begun) >= number)


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_a_round_begins_when_the_one_before_is_over(name: str, directory: Directory) -> None:
    plan = case(name)
    stage = Stage(4, at_random(4))
    run(plan, directory, stage)
    played = directory.played()
    number, seen = 0, 0
    while (blocks := plan.format.round(number, Ledger(plan, played).results())) is not None:
        ids = {fixture.id for block in blocks for fixture in block.fixtures()}
        begun = list(takewhile(lambda match: match in ids, stage.begun[seen:]))  # noqa: B023
        assert set(begun) == ids & set(stage.begun)
        seen += len(begun)
        number += 1
    assert seen == len(stage.begun)
    assert number > 2
