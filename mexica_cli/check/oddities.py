"""Checks of what is rare and right: other seats that leave, pings, errors, and every form that a line may have."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from mexica_cli.check import manners
from mexica_cli.check.check import Check
from mexica_cli.check.desk import Desk
from mexica_cli.check.finding import Flaw, NotApplicable
from mexica_cli.check.manners import Manner
from mexica_cli.check.match import OTHERS, Match
from mexica_cli.check.sources import (
    AGAIN,
    ERROR,
    LINES,
    OBJECTS,
    OTHERS_GONE,
    PASS_OVER,
    PING,
    SAID,
)
from mexica_cli.wire.messages import Claim, Error, Said

NAMES = ('Ana "la Ágil"', "Benito\\n", "Carla 名字 🗿", "{diego}")
"""Names of other seats that want a real JSON parser."""


async def _forfeits(desk: Desk) -> str:
    most = desk.setting.game.seats[1]
    if most < 3:
        raise NotApplicable("this game has two seats")
    match = Match(await desk.join(), desk.setting, players=most)
    await match.begin()
    await match.play(1)
    match.forfeit(next(match.others()))
    await match.play(2)
    match.all_legal("after another seat's forfeit")
    await match.end()
    again = Match(match.bot, desk.setting, id="1-2")
    await again.begin()
    return "it plays on, and takes the result when all others are gone"


async def _void(desk: Desk) -> str:
    bot = await desk.join()
    for _ in range(2):
        match = Match(bot, desk.setting)
        await match.begin()
        await match.play(2)
        match.all_legal("when the match is played again")
        await match.stop()
    last = Match(bot, desk.setting, id="1-2")
    await last.begin()
    return "it plays a void match again"


async def _ping(desk: Desk) -> str:
    bot = await desk.join()
    await bot.say(bot.new_ping())
    await bot.pongs()
    match = Match(bot, desk.setting)
    await bot.say(match.start(), bot.new_ping())
    await match.ready()
    await bot.pongs()
    if await match.until_asked():
        await match.perform(await match.ask(bot.new_ping()))
        await bot.pongs()
    return "a `pong` before the match, at its start and in a turn"


async def _errors(desk: Desk) -> str:
    bot = await desk.join()
    match = Match(bot, desk.setting)
    await bot.say(match.start(), Error(code="unknown_type", reason="no message has that type"))
    await match.ready()
    for code in ("stale", "not_known_yet"):
        if await match.until_asked():
            await match.perform(await match.ask(Error(code=code, reason="it was dropped", retry_after=0.5)))
    await match.play(1)
    if bot.stale:
        raise Flaw(f"there was an answer too many, a `play` with the id {bot.stale[0]}")
    return "errors change nothing"


async def _said(desk: Desk) -> str:
    if not desk.setting.game.cooperative:
        raise NotApplicable("nobody talks in this game")
    match = await desk.match()
    if "events" not in match.bot.want:
        raise NotApplicable("it doesn't want events")
    heard = 0
    while heard < 2 and await match.until_asked():
        words = (_saying(match, "I can hold."), _saying(match, "And I mean it.", Claim()))
        talk = words if match.state.may_talk else ()
        await match.perform(await match.ask(*talk))
        heard += bool(talk)
    if not heard:
        raise NotApplicable("it never came to a moment for talk")
    return "it heard its team"


def _saying(match: Match, text: str, claim: Claim | None = None) -> Said:
    return Said(match=match.id, seat=next(match.others()), text=text, claim=claim)


def _played(manner: Manner, names: tuple[str, ...] = OTHERS) -> Callable[[Desk], Awaitable[str]]:
    """Play the beginning of a match in that manner, and begin another."""

    async def run(desk: Desk) -> str:
        bot = await desk.join(manner)
        match = Match(bot, desk.setting, names=names)
        await match.begin()
        await match.play(2)
        match.all_legal()
        await match.end()
        await Match(bot, desk.setting, id="1-2").begin()
        return "it plays on as if nothing were odd"

    return run


ODDITIES = (
    Check(
        name="forfeits",
        does="Has one of several other seats forfeit, plays on, and has all others forfeit.",
        judged="Passes if the bot answers legally, takes `result` for a `turn`, and is ready for the next match.",
        source=OTHERS_GONE,
        run=_forfeits,
    ),
    Check(
        name="void",
        does="Ends a match as void, without places, and begins it again under the same id.",
        judged="Passes if the bot plays it anew.",
        source=AGAIN,
        run=_void,
    ),
    Check(
        name="ping",
        does="Sends `ping` before a match, with `start` and with a `turn`.",
        judged="Passes if a `pong` with its id comes to each, and `ready` and `play` besides.",
        source=PING,
        run=_ping,
    ),
    Check(
        name="errors",
        does="Sends errors that aren't fatal, with codes known and unknown, while the bot is asked.",
        judged="Passes if the bot answers what it was asked, once.",
        source=ERROR,
        run=_errors,
    ),
    Check(
        name="said",
        does="Lets the bot's team talk while it plans.",
        judged="Passes if the bot answers all the same. Not applicable where there is no team.",
        source=SAID,
        run=_said,
    ),
    Check(
        name="unknown-messages",
        does="Sends a message of a type that nobody knows after every other.",
        judged="Passes if the bot passes over it.",
        source=PASS_OVER,
        run=_played(manners.among_strangers),
    ),
    Check(
        name="unknown-fields",
        does="Adds fields that nobody knows to every message, also inside `clock` and `followed`; `type` comes last.",
        judged="Passes if the bot passes over them.",
        source=OBJECTS,
        run=_played(manners.with_new_fields),
    ),
    Check(
        name="nulls",
        does="Sends `null` for every field that is absent and may be.",
        judged="Passes if the bot takes it for absent.",
        source=OBJECTS,
        run=_played(manners.with_nulls),
    ),
    Check(
        name="odd-json",
        does="Writes JSON with white space and escapes, and gives the other seats names full of quotes and Unicode.",
        judged="Passes if the bot reads it like any other.",
        source=LINES,
        run=_played(manners.in_odd_json, NAMES),
    ),
    Check(
        name="long-lines",
        does="Makes every line 128 KiB longer.",
        judged="Passes if the bot reads them to their end.",
        source=LINES,
        run=_played(manners.long_lines),
    ),
    Check(
        name="pieces",
        does="Writes lines in pieces, with a moment between them, and pieces of two lines together.",
        judged="Passes if the bot waits for the end of a line, and finds the next one behind it.",
        source=LINES,
        run=_played(manners.in_pieces),
    ),
)
