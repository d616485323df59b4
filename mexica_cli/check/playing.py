"""Checks of ordinary matches."""

from __future__ import annotations

from mexica_cli.arena.clock import TimeControl
from mexica_cli.check.check import Check
from mexica_cli.check.desk import Desk
from mexica_cli.check.finding import Doubt, Flaw, NotApplicable
from mexica_cli.check.match import Match
from mexica_cli.check.sources import (
    ASKED_ONCE,
    CLOCK,
    ECHO,
    SEATS,
    START,
    STAY,
    STRIKES,
    TURN,
    TURN_OVER,
    VOTES,
)
from mexica_cli.games.game import State
from mexica_cli.wire.messages import Bye

ANSWERS = 3
"""How many answers of the bot are enough in most checks."""
TRIED = 3
"""How many actions of a kind are tried on the way to a vote."""

GREATEST = 2**53 - 1
"""The greatest number in the protocol."""


async def _turn(desk: Desk) -> str:
    match = await desk.match()
    await match.play(ANSWERS)
    return f"{len(match.answers)} answers, {match.clock.used / len(match.answers) * 1000:.0f} ms each"


async def _game(desk: Desk) -> str:
    match = await desk.match()
    await match.play()
    await match.finish()
    match.all_legal()
    if match.overruns:
        raise Doubt(f"{match.overruns} of its answers went on after its turn was over", TURN_OVER)
    return f"{len(match.answers)} answers to the end, all legal"


async def _seats(desk: Desk) -> str:
    bot = await desk.join()
    most = desk.setting.game.seats[1]
    for seat in range(most):
        match = Match(bot, desk.setting, id=f"1-{seat + 1}", seat=seat, players=most)
        await match.begin()
        await match.play(2)
        match.all_legal(f"in seat {seat} of {most}")
        await match.end()
    return f"played in seats 0 to {most - 1}"


async def _several_games(desk: Desk) -> str:
    bot = await desk.join()
    for number in range(3):
        match = Match(bot, desk.setting, id=f"1-{number + 1}", seat=number % desk.setting.players)
        await match.begin()
        await match.play(ANSWERS)
        match.all_legal(f"in game {number + 1} over this connection")
        await match.end()
    return "3 games over one connection"


async def _votes(desk: Desk) -> str:
    match = Match(await desk.join(), desk.setting, seat=desk.setting.players - 1)
    await match.begin()
    await _play_to_vote(match)
    await match.step()
    match.all_legal(f"asked in the turn of seat {match.owner}")
    vote = match.answers[-1][0]
    await match.play(1)
    return f"asked in another's turn after {len(match.answers)} answers, it gave `{vote}`"


async def _play_to_vote(match: Match) -> None:
    """Play until the bot is asked in another's turn. Raises NotApplicable."""
    while match.state.to_act is not None:
        if match.asks_bot and match.owner != match.seat:
            return
        if match.state.to_act == match.owner != match.seat and (action := _asking_others(match)) is not None:
            match.act(action)
        else:
            await match.step()
    raise NotApplicable("it never came to be asked in the turn of another seat")


def _asking_others(match: Match) -> int | None:
    """An action after which another seat is asked within the same turn."""
    for texts in match.by_kind().values():
        for action in map(match.state.parse, texts[:TRIED]):
            if _asks_others(match.state, action):
                return action
    return None


def _asks_others(state: State, action: int) -> bool:
    after = state.copy()
    after.apply(action)
    return after.turn == state.turn and after.to_act not in (None, state.to_act)


async def _ids(desk: Desk) -> str:
    bot = await desk.join()
    numbers = (1, 2, 2**31, 2**32 + 3, GREATEST - 1)
    bot.ids = iter(numbers)
    match = Match(bot, desk.setting, seed=GREATEST)
    await match.begin()
    await match.play(len(numbers))
    if bot.stale:
        raise Flaw(f"a `play` came with the id {bot.stale[0]}, which wasn't that of the latest `turn`")
    return f"ids up to {numbers[-1]} came back"


async def _quiet(desk: Desk) -> str:
    match = await desk.match()
    await match.play(ANSWERS)
    await match.end()
    if desk.setting.is_program:
        await match.bot.hang_up(Bye(reason="this check is over"))
    if surplus := match.bot.surplus:
        raise Flaw(f"lines that nobody had asked for, {len(surplus)} in all; the first: {surplus[0]}")
    return "one answer to each question, and nothing else"


async def _clocks(desk: Desk) -> str:
    bot, move = await desk.join(), desk.setting.move
    bank = TimeControl(bank=10 * move, increment=move)
    both = TimeControl(move=move, bank=10 * move, increment=move)
    for number, control in enumerate((bank, both, TimeControl())):
        match = Match(bot, desk.setting, id=f"1-{number + 1}", control=control)
        await match.begin()
        try:
            await match.play(2)
        except Flaw as flaw:
            if control == TimeControl() and not bot.channel.has_ended():
                raise Doubt(f"without a limit: {flaw.reason}") from None
            raise
        await match.end()
    return "it plays with a bank, with bank and time for a turn, and without a limit"


async def _short_clock(desk: Desk) -> str:
    quarter = desk.setting.move / 4
    match = await desk.match()
    for _ in range(2):
        if await match.until_asked():
            match.leave_time(quarter)
            await match.step()
    return f"answers within the last {quarter:g} s of a turn"


async def _determinism(desk: Desk) -> str:
    first = await desk.match()
    await first.play(2 * ANSWERS)
    await first.bot.close()  # a bot that connects may do so once at a time
    again = await desk.match()
    await again.play(2 * ANSWERS)
    for number, (one, other) in enumerate(zip(first.answers, again.answers, strict=False), 1):
        if one != other:
            raise Doubt(f"the same match again, and answer {number} is `{one[0]}` once and `{other[0]}` then")
    return f"the same {len(first.answers)} answers in the same match again"


PLAYING = (
    Check(
        name="turn",
        does="Asks for three answers.",
        judged="Passes if each comes in time, with the id of its `turn`, and fewer than three actions are illegal.",
        source=TURN,
        run=_turn,
        basic=True,
    ),
    Check(
        name="game",
        does="Plays a whole game against seats that play by chance.",
        judged="Passes if every action is legal, to the end. Warns of answers that are longer than the turn.",
        source=STRIKES,
        run=_game,
    ),
    Check(
        name="seats",
        does="Plays the beginning of a game with the greatest number of seats, once in each of them.",
        judged="Passes if the bot answers legally in all of them.",
        source=SEATS,
        run=_seats,
    ),
    Check(
        name="several-games",
        does="Plays three games in a row over one connection, in changing seats.",
        judged="Passes if the bot stays, and answers legally in each: it has forgotten the games before.",
        source=STAY,
        run=_several_games,
    ),
    Check(
        name="votes",
        does="Plays until another seat can do something on which others are asked, as a proposal to retire a token.",
        judged="Passes if the bot answers legally, and goes on well. Not applicable where nothing of the kind comes.",
        source=VOTES,
        run=_votes,
    ),
    Check(
        name="ids",
        does="Asks with ids that grow by leaps, up to the greatest numbers of the protocol.",
        judged="Passes if they come back as they were, and no other id comes.",
        source=ECHO,
        run=_ids,
    ),
    Check(
        name="quiet",
        does="Plays the beginning of a game, and reads all that the bot writes until it has exited.",
        judged="Passes if there is one answer to each question, and no other line.",
        source=ASKED_ONCE,
        run=_quiet,
    ),
    Check(
        name="clocks",
        does="Plays with a bank and increment, with these and a time for a turn, and without any limit.",
        judged="Passes if the bot answers in time. Without a limit it is only warned when it takes very long.",
        source=CLOCK,
        run=_clocks,
    ),
    Check(
        name="short-clock",
        does="Asks when three quarters of the time for a turn are used.",
        judged="Passes if the bot answers in what `left_ms` says, rather than `move_ms`.",
        source=CLOCK,
        run=_short_clock,
    ),
    Check(
        name="determinism",
        does="Plays the same beginning of a match twice, with two new processes and the same `seed`.",
        judged="Passes if the answers are the same, and warns otherwise: no bot is obliged to that.",
        source=START,
        run=_determinism,
    ),
)
