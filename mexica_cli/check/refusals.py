"""Checks of what a bot does with `reject`."""

from __future__ import annotations

from mexica_cli.check.check import Check
from mexica_cli.check.desk import Desk
from mexica_cli.check.finding import Doubt, Flaw, NotApplicable
from mexica_cli.check.match import Match
from mexica_cli.check.sources import REJECTIONS
from mexica_cli.wire.messages import Fault, Play

CODE = "turned_down"
"""No code of the protocol: an unknown one means no less."""
REASON = "the checker turns this down to see what comes next, though it is legal"
LONG_ANSWERS = 8
"""Answers in which one of several actions is looked for."""


async def _reject(desk: Desk) -> str:
    match = await _at_second_turn(desk)
    play = await match.ask()
    others = len(match.state.legal_actions()) > 1
    repeated = 0
    for left in range(match.bot.limits.illegal - 1, 0, -1):
        rejected = play.actions[0]
        await match.reject(play, 0, CODE, REASON, left)
        play = await match.answer("no other `play`")
        repeated += play.actions[0] == rejected
    if others and repeated == match.bot.limits.illegal - 1:
        raise Doubt("every time it gave the rejected action again, though there were others: a strike each")
    await match.perform(play)
    await match.play(1)
    match.all_legal("after a `reject`")
    return "another answer to each, with the same id"


async def _at_second_turn(desk: Desk) -> Match:
    """A match in which the bot is to be asked, not for the first time."""
    match = await desk.match()
    await match.play(1)
    if not await match.until_asked():
        raise NotApplicable("the game was over before")
    return match


async def _reject_middle(desk: Desk) -> str:
    match = await desk.match()
    for _ in range(LONG_ANSWERS):
        if not await match.until_asked():
            break
        play = await match.ask()
        if _begins(match, play):
            return await _turn_down_second(match, play)
        await match.perform(play)
    raise NotApplicable(f"it answers with one action at a time (seen in {len(match.answers)} answers)")


def _begins(match: Match, play: Play) -> bool:
    """Do the first of several actions, if after it the bot is still on turn."""
    if len(play.actions) < 2 or match.why_illegal(play.actions[0]) is not None:
        return False
    action = match.state.parse(play.actions[0])
    after = match.state.copy()
    after.apply(action)
    if after.to_act != match.seat:
        return False
    match.act(action)
    return True


async def _turn_down_second(match: Match, play: Play) -> str:
    await match.reject(play, 1, CODE, REASON, match.bot.limits.illegal - 1)
    await match.perform(await match.answer("no other `play`"))
    await match.play(1)
    match.all_legal(f"`{play.actions[0]}` stood, the action after it was rejected")
    return "it goes on from the actions that stand"


async def _strikes_out(desk: Desk) -> str:
    match = await _at_second_turn(desk)
    play = await match.ask()
    for left in range(match.bot.limits.illegal - 1, -1, -1):
        await match.reject(play, 0, CODE, REASON, left)
        if left:
            play = await match.answer("no other `play`")
    await _go_on_without(match)
    after = Match(match.bot, desk.setting, id="1-2")
    await after.begin()
    await after.play(1)
    if match.question in match.bot.stale:
        raise Flaw(f"a `play` for the `turn` {match.question} came, which a `reject` with `strikes_left` 0 had ended")
    return "it takes its forfeit, and plays the next match"


async def _go_on_without(match: Match) -> None:
    """The rest of a match that the bot has forfeited: some actions where two others are left, and the result."""
    match.forfeit(match.seat, Fault(kind="illegal", reason=f"an illegal action too many: {REASON}"))
    if match.players > 2:
        for _ in range(2 * match.players):
            if match.state.to_act is not None:
                await match.pass_by()
    await match.end()


REFUSALS = (
    Check(
        name="reject",
        does="Rejects answers, though they are legal and with a code that nobody knows, until one strike is left.",
        judged="Passes if another answer comes each time, with the same id. Warns if it is always the rejected one.",
        source=REJECTIONS,
        run=_reject,
    ),
    Check(
        name="reject-middle",
        does="Does the first of several actions and rejects the second.",
        judged="Passes if the next answer is legal where the first action stands. "
        "Not applicable to a bot that gives one action an answer.",
        source=REJECTIONS,
        run=_reject_middle,
    ),
    Check(
        name="strikes-out",
        does="Rejects until no strike is left, ends the match, and begins another.",
        judged="Passes if the last `reject` isn't answered, and the next match is played.",
        source=REJECTIONS,
        run=_strikes_out,
    ),
)
