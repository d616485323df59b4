"""What is found out about bots before a tournament."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from arena.zookeeper import ZOO
from tournament.real import nothing_left, plan

from mexica_cli.tournament.trial import ANSWERS, Verdict, try_bot


def zoo(name: str, *argv: str) -> str:
    """The command of a bot of the zoo."""
    return shlex.join([sys.executable, "-S", str(ZOO / f"{name}.py"), *argv])


async def verdict_on(command: str, seats: int = 2, **fields: str) -> Verdict:
    """The verdict on one bot of several."""
    bots = {"it": command, **{f"other{seat}": "random" for seat in range(1, seats)}}
    tournament = plan(bots, games=1, seats=seats, quit="200ms", **fields)
    with nothing_left():
        return await try_bot(tournament, tournament.entrants["it"])


@pytest.mark.parametrize("seats", [2, 4])
async def test_a_good_bot_is_let_go_after_some_moves(seats: int) -> None:
    assert await verdict_on(zoo("good"), seats) == Verdict(bot="it", faults=[], stderr=None)


async def test_some_answers_are_enough(tmp_path: Path) -> None:
    """A bot that would fail later is not found out."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        f"import sys; sys.path.append({str(ZOO)!r})\n"
        "from _speak import play, turns\n"
        f"for number, turn in zip(range({ANSWERS}), turns()): play(turn)\n"
    )
    assert await verdict_on(str(bot), rules="official") == Verdict(bot="it", faults=[], stderr=None)
    bot.write_text(bot.read_text().replace(str(ANSWERS), str(ANSWERS - 1)))
    assert (await verdict_on(str(bot))).faults == ["crash: the process exited with code 0 in mid-match"]


@pytest.mark.parametrize(
    ("command", "fields", "faults", "stderr"),
    [
        (
            zoo("crashes"),
            {},
            ["crash: the process exited with code 1 in mid-match"],
            "can't think of anything",
        ),
        (zoo("crashes_at_start"), {}, ["crash: "], None),
        (zoo("hangs"), {"move_time": "200ms"}, ["timeout: no answer within the 0.2 s of a turn"], None),
        (zoo("silent_at_handshake"), {"startup": "200ms"}, ["startup: no `join` within 0.2 s"], None),
        (zoo("never_ready"), {"ready": "200ms"}, ["timeout: "], None),
        (zoo("exits_at_once"), {}, ["startup: no `join`: the process exited with code 0"], None),
        (zoo("prints_board"), {}, ["protocol: "], None),
        (zoo("plays_nothing"), {}, ["protocol: "], None),
        ("false", {}, ["startup: no `join`: the process exited with code 1"], None),
        (
            "sh -c 'echo no licence >&2; exit 3'",
            {},
            ["startup: no `join`"],
            "no licence",
        ),
    ],
)
async def test_what_is_wrong_is_said(
    command: str, fields: dict[str, str], faults: list[str], stderr: str | None
) -> None:
    verdict = await verdict_on(command, 2, **fields)
    assert [fault[: len(start)] for fault, start in zip(verdict.faults, faults, strict=True)] == faults
    if stderr is not None:
        assert stderr in (verdict.stderr or "")


async def test_illegal_actions_are_shown() -> None:
    verdict = await verdict_on(zoo("illegal_thrice", "jump"))
    assert len(verdict.faults) == 4
    assert all(fault.startswith("illegal action 'jump': ") for fault in verdict.faults[:3])
    assert verdict.faults[3].startswith("illegal: ")
