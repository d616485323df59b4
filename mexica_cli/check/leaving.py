"""Checks of how a bot ends."""

from __future__ import annotations

import contextlib

import trio

from mexica_cli.arena import family
from mexica_cli.arena.process import ProcessChannel
from mexica_cli.check.check import Check
from mexica_cli.check.connection import Connection
from mexica_cli.check.desk import Desk
from mexica_cli.check.finding import Flaw, NotApplicable
from mexica_cli.check.sources import BYE, ERROR, KEEP_READING, OWN_PROCESSES
from mexica_cli.wire.messages import Bye, Error

LOOK_AGAIN = 0.02
"""Seconds between two looks at the processes of a bot that has exited."""


async def _bye(desk: Desk) -> str:
    desk.needs_process()
    match = await desk.match()
    await match.play(1)
    await match.end()
    return _exited(await match.bot.hang_up(Bye(reason="this check is over")), match.bot, "`bye`")


async def _sent_away(desk: Desk) -> str:
    desk.needs_process()
    match = await desk.match()
    await match.play(1)
    error = Error(code="timeout", reason="the checker sends it away, to see how it goes", fatal=True)
    return _exited(await match.bot.hang_up(error, Bye(reason="forfeited")), match.bot, "a fatal `error`, `bye`")


async def _end_of_input(desk: Desk) -> str:
    desk.needs_process()
    joined = await desk.join()
    _exited(await joined.hang_up(), joined, "having joined")
    between = await desk.match()
    await between.play(1)
    await between.end()
    _exited(await between.bot.hang_up(), between.bot, "a match")
    asked = await desk.match()
    if await asked.until_asked():
        await asked.pose()
    return _exited(await asked.bot.hang_up(), asked.bot, "being asked")


def _exited(how: str | None, bot: Connection, after: str) -> str:
    """What to say of a bot that is gone. Raises Flaw if it isn't."""
    if how is None:
        raise Flaw(f"it was still there {bot.limits.quit:g} s after {after} and the end of its input")
    return how


async def _nothing_left(desk: Desk) -> str:
    desk.needs_process()
    match = await desk.match()
    channel = match.bot.channel
    if not isinstance(channel, ProcessChannel) or not family.can_measure():
        raise NotApplicable("the processes of a bot can't be seen on this system")
    await match.play(1)
    mark = _mark(channel.pid)
    await match.end()
    if await match.bot.hang_up(Bye(reason="this check is over")) is None:
        raise NotApplicable("it doesn't exit: see `bye`")
    with trio.move_on_after(desk.setting.limits.quit):
        while _relatives(channel.pid, mark):
            await trio.sleep(LOOK_AGAIN)
    if strays := channel.strays + family.kill_strays():
        raise Flaw(f"{strays} of the processes that it started hid whose {'it is' if strays == 1 else 'they are'}")
    if left := _relatives(channel.pid, mark):
        raise Flaw(f"it has exited, and {len(left)} of the processes that it started live on")
    return "no process of its own lives on"


def _mark(pid: int) -> bytes:
    """What stands in the environment of a bot and of what it starts."""
    variables = (family.PROC / str(pid) / "environ").read_bytes().split(b"\0")
    return next((variable for variable in variables if variable.startswith(family.MARK.encode())), b"")


def _relatives(group: int, mark: bytes) -> list[int]:
    """The living processes of a bot's group, and those with its mark."""
    found = []
    for process in family.PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, _, member_of = (process / "stat").read_text().rpartition(")")[2].split()[:3]
            marked = mark in (process / "environ").read_bytes().split(b"\0")
            if state != "Z" and (marked or int(member_of) == group):
                found.append(int(process.name))
    return found


LEAVING = (
    Check(
        name="bye",
        does="Says `bye` after a match, and ends the bot's input.",
        judged="Passes if the process exits by itself within `quit_ms`, with whatever code.",
        source=BYE,
        run=_bye,
    ),
    Check(
        name="sent-away",
        does="Sends a fatal `error` and `bye` in mid-match, and ends the bot's input.",
        judged="Passes if the process exits by itself within `quit_ms`.",
        source=ERROR,
        run=_sent_away,
    ),
    Check(
        name="end-of-input",
        does="Ends the bot's input without a word: once it has joined, after a match, and when it is asked.",
        judged="Passes if the process exits by itself within `quit_ms` each time.",
        source=KEEP_READING,
        run=_end_of_input,
    ),
    Check(
        name="nothing-left",
        does="Looks for processes that the bot has started, once it has exited by itself.",
        judged="Passes if there are none, or they are gone within `quit_ms`.",
        source=OWN_PROCESSES,
        run=_nothing_left,
    ),
)
