"""Whole matches: what every bot is told, what is recorded, and how a match ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import get_args

import msgspec
import pytest
import trio
from arena.scripted import CRASH, SILENCE, Answer, Played, Player, Reply, Table, act, fail, ready, say, timeless
from hypothesis import given
from hypothesis import strategies as st
from toygame import NimState, add_toy_game
from trio.testing import MockClock

from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.faults import SEAT_FAULTS, FaultKind, SeatFault
from mexica_cli.arena.limits import Limits
from mexica_cli.record.lines import ActionLine, FaultLine, RejectLine
from mexica_cli.wire.framing import EXCERPT_CHARACTERS, LineTooLong, encode
from mexica_cli.wire.messages import (
    Bye,
    Error,
    Event,
    Fault,
    Join,
    Pong,
    Quit,
    Reject,
    Result,
    Say,
    Start,
    Turn,
    Want,
    Welcome,
)

TAKE = act("take 1", "end")


@pytest.fixture(scope="module", autouse=True)
def _nim() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        add_toy_game(patch)
        yield


def actions(played: Played) -> list[tuple[int, str]]:
    """Seat and action, in order; with a star where the arena acted."""
    return [(line.seat, line.action + "*" * line.auto) for line in played.of(ActionLine)]


# ---- a match that simply runs to its end -----------------------------------------------------------------------------


async def test_a_match_is_recorded_to_its_result(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 2", "end", note="a start"), act("take 1"))
    table = Table(nursery, ann, Player("bob"))
    played = await table.play(pile=4)
    lost = [{"what": "lost", "stones": 1}]
    last = [{"what": "last", "seat": 0, "points": 5}, {"what": "over", "turn": 2}]
    rows = [(line.n, line.seat, line.action, line.followed, line.note) for line in played.of(ActionLine)]
    assert rows == [
        (1, 0, "take 2", [], "a start"),
        (2, 0, "end", [], None),
        (3, 1, "end", lost, None),
        (4, 0, "take 1", last, None),
    ]
    result = played.result
    assert (result.outcome, result.ranking, result.scores, result.actions) == ("finished", [1, 2], [8, 0], 4)
    assert (result.reasons, result.stale, result.stderr) == ([None, None], [0, 0], [None, None])
    assert len(played.lines) == 6


async def test_everybody_is_told_the_start_and_the_result(nursery: trio.Nursery) -> None:
    players = [Player(name, then=TAKE) for name in ("ann", "bob", "cyd")]
    played = await Table(nursery, *players).play(pile=5)
    for seat, player in enumerate(players):
        (start,) = player.told(Start)
        assert (start.match, start.game, start.rules, start.options) == ("1-1", "nim", "plain", {"most": 3, "last": 5})
        assert (start.seat, start.seats) == (seat, ["ann", "bob", "cyd"])
        assert start.state == {"game": "nim", "turn": 0, "pile": 5, "to_act": 0, "taken": 0, "scores": [0, 0, 0]}
        (result,) = player.told(Result)
        assert result == Result(
            match="1-1", outcome="finished", ranking=[2, 1, 3], scores=[2, 7, 1], reasons=[None, None, None]
        )
    assert len({player.told(Start)[0].seed for player in players}) == 3
    assert played.result.ranking == [2, 1, 3]


SUBSETS: list[tuple[Want, ...]] = list(chain.from_iterable(combinations(get_args(Want), k) for k in range(4)))


@pytest.mark.parametrize("want", SUBSETS, ids=lambda want: "+".join(want) or "nothing")
async def test_a_bot_is_sent_what_it_wants_and_no_more(nursery: trio.Nursery, want: tuple[Want, ...]) -> None:
    ann = Player("ann", act("take 1"), act("end"), act("take 1"), want=want)
    await Table(nursery, ann, Player("bob", then=TAKE)).play(pile=3)
    turns = ann.told(Turn)
    assert [turn.state is not None for turn in turns] == ["state" in want] * 3
    assert [turn.legal is not None for turn in turns] == ["legal" in want] * 3
    events = [(event.n, event.seat, event.action) for event in ann.told(Event)]
    all_events = [(1, 0, "take 1"), (2, 0, "end"), (3, 1, "take 1"), (4, 1, "end"), (5, 0, "take 1")]
    assert events == (all_events if "events" in want else [])
    assert [kind for kind in ann.kinds() if kind != "event"] == ["start", "turn", "turn", "turn", "result"]


async def test_a_bot_that_says_nothing_of_its_wants_is_sent_everything(nursery: trio.Nursery) -> None:
    ann = Player("ann", want=None, then=TAKE)
    await Table(nursery, ann, Player("bob")).play(pile=2)
    (turn,) = ann.told(Turn)
    assert turn.state == {"game": "nim", "turn": 0, "pile": 2, "to_act": 0, "taken": 0, "scores": [0, 0]}
    assert turn.legal == ["end", "take 1", "take 2"]
    assert len(ann.told(Event)) == 3


async def test_state_and_legal_actions_are_those_of_the_moment(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 2"), act("end"), want=["state", "legal"])
    await Table(nursery, ann, Player("bob", then=act("take 3"))).play(pile=5)
    assert [turn.legal for turn in ann.told(Turn)] == [["end", "take 1", "take 2", "take 3"], ["end", "take 1"]]
    assert [turn.state and turn.state["taken"] for turn in ann.told(Turn)] == [0, 2]


async def test_all_see_the_same_events_before_they_are_asked(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 1", "end"), act("take 1"), want=["events"])
    bob = Player("bob", act("take 1"), act("end"), want=["events"])
    await Table(nursery, ann, bob).play(pile=3)
    assert ann.told(Event) == bob.told(Event)
    ends = {"what": "last", "seat": 0, "points": 5}
    assert ann.told(Event)[-1] == Event(
        match="1-1", n=5, seat=0, action="take 1", followed=[ends, {"what": "over", "turn": 2}]
    )
    assert ann.kinds() == ["start", "turn", *["event"] * 4, "turn", "event", "result"]
    assert bob.kinds() == ["start", "event", "event", "turn", "event", "turn", "event", "event", "result"]


async def test_events_come_before_the_next_bot_thinks_also_after_what_the_arena_did(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    ann = Player("ann", act("take 1", "end", after=1), act("end", after=1), want=["events"])
    bob = Player("bob", CRASH)
    cyd = Player("cyd", act("take 1", "end", after=1))
    await Table(nursery, ann, bob, cyd).play(pile=4)
    times = [(time, event.n, event.seat) for time, event in ann.heard if isinstance(event, Event)]
    assert times[:4] == [(1.0, 1, 0), (1.0, 2, 0), (1.0, 2, 1), (1.0, 3, 1)]
    assert cyd.when(Turn)[0] == 1.0


async def test_what_comes_after_the_end_of_the_game_is_ignored(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 2", "end", "nonsense"))
    played = await Table(nursery, ann, Player("bob")).play(pile=2)
    assert actions(played) == [(0, "take 2")]
    assert played.of(RejectLine) == []
    assert played.faults() == {}


# ---- illegal actions -------------------------------------------------------------------------------------------------


async def test_actions_before_an_illegal_one_stand(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 1", "take 9", "end", note="lost"), act("take 2"), want=["events", "legal"])
    table = Table(nursery, ann, Player("bob"))
    played = await table.play(pile=3)
    reason = "at most 3 stones a turn, 1 are taken"
    (turn,) = ann.told(Turn)
    assert ann.told(Reject) == [
        Reject(match="1-1", id=turn.id, index=1, action="take 9", code="too_many", reason=reason, strikes_left=2)
    ]
    assert ann.kinds() == ["start", "turn", "event", "reject", "event", "result"]
    assert played.of(RejectLine) == [
        RejectLine(match="1-1", n=1, seat=0, action="take 9", code="too_many", reason=reason)
    ]
    assert actions(played) == [(0, "take 1"), (0, "take 2")]


async def test_what_names_no_action_is_illegal_too(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("jump"), act("take 01"), act("take 1"))
    played = await Table(nursery, ann, Player("bob")).play(pile=1)
    assert [(reject.index, reject.code, reject.strikes_left) for reject in ann.told(Reject)] == [
        (0, "syntax", 2),
        (0, "syntax", 1),
    ]
    assert played.result.outcome == "finished"


async def test_others_are_not_told_of_rejections(nursery: trio.Nursery) -> None:
    bob = Player("bob", want=None)
    await Table(nursery, Player("ann", act("jump"), act("take 1")), bob).play(pile=1)
    assert bob.kinds() == ["start", "event", "result"]


async def test_the_last_strike_is_rejected_and_forfeits(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("jump"), TAKE, act("take 1", "take 7"), act("take 8"), want=["events"])
    bob = Player("bob", then=TAKE, want=["events"])
    table = Table(nursery, ann, bob)
    played = await table.play(pile=9)
    assert [reject.strikes_left for reject in ann.told(Reject)] == [2, 1, 0]
    assert [line.n for line in played.of(RejectLine)] == [0, 5, 5]
    reason = "3 illegal actions in this match; the last was 'take 8': at most 3 stones a turn, 1 are taken"
    assert played.of(FaultLine) == [FaultLine(match="1-1", n=5, seat=0, kind="illegal", reason=reason)]
    assert played.result.reasons == [Fault(kind="illegal", reason=reason), None]
    assert (played.result.outcome, played.result.ranking, played.result.scores) == ("forfeit", [2, 1], [2, 1])
    forfeit = Event(
        match="1-1", n=5, seat=0, followed=[{"what": "forfeit", "seat": 0, "kind": "illegal", "reason": reason}]
    )
    assert ann.told(Event)[-1] == bob.told(Event)[-1] == forfeit
    assert ann.told(Result) == bob.told(Result)
    assert ann.kinds()[-3:] == ["reject", "event", "result"]
    assert ann.channels[0].closed is None


async def test_with_one_strike_the_first_illegal_action_forfeits(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 9"))
    played = await Table(nursery, ann, Player("bob"), limits=Limits(illegal=1)).play(pile=9)
    (fault,) = played.of(FaultLine)
    assert fault.reason == "an illegal action; the last was 'take 9': at most 3 stones a turn, 0 are taken"
    assert [reject.strikes_left for reject in ann.told(Reject)] == [0]


async def test_actions_after_the_end_of_the_turn_are_no_strike_and_want_no_answer(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 1", "end", "take 1", "take 1"), act("take 1"))
    bob = Player("bob")
    played = await Table(nursery, ann, bob).play(pile=3)
    assert [(reject.index, reject.code, reject.strikes_left) for reject in ann.told(Reject)] == [(2, "turn_over", 3)]
    assert [(line.n, line.seat, line.action, line.code) for line in played.of(RejectLine)] == [
        (2, 0, "take 1", "turn_over")
    ]
    assert actions(played) == [(0, "take 1"), (0, "end"), (1, "end"), (0, "take 1")]
    assert ann.kinds() == ["start", "turn", "reject", "turn", "result"]
    assert played.result.outcome == "finished"


async def test_no_number_of_them_forfeits(nursery: trio.Nursery) -> None:
    ann = Player("ann", then=act("take 1", "end", "take 1"))
    table = Table(nursery, ann, Player("bob", then=TAKE), limits=Limits(illegal=1))
    played = await table.play()
    assert len(ann.told(Reject)) > 3
    assert {(reject.code, reject.strikes_left) for reject in ann.told(Reject)} == {("turn_over", 1)}
    assert played.result.outcome == "finished"
    assert table.verified(played.lines).games == 1


async def test_an_action_of_any_length_makes_no_long_reason(nursery: trio.Nursery) -> None:
    """What follows from it goes to everybody. The text itself stays in the log, which is checked by it."""
    text = "take " + 60_000 * "x"
    ann, bob = Player("ann", act(text)), Player("bob", then=TAKE, want=["events"])
    table = Table(nursery, ann, bob, limits=Limits(illegal=1))
    played = await table.play()
    (fault,), (rejected,) = played.of(FaultLine), played.of(RejectLine)
    assert len(fault.reason) < 500
    assert rejected.action == text
    assert max(len(encode(message)) for _, message in bob.heard) < 1000
    assert table.verified(played.lines).games == 1


async def test_what_comes_after_the_end_of_a_turn_is_cut(nursery: trio.Nursery) -> None:
    """It is no strike, so that a bot might fill the log with it."""
    ann = Player("ann", act("take 1", "end", 60_000 * "x"), then=TAKE)
    table = Table(nursery, ann, Player("bob", then=TAKE))
    played = await table.play()
    assert [len(line.action) for line in played.of(RejectLine)] == [EXCERPT_CHARACTERS]
    assert table.verified(played.lines).games == 1


# ---- what bots say besides -------------------------------------------------------------------------------------------


async def test_stale_answers_are_counted_by_seat(nursery: trio.Nursery) -> None:
    ann = Player("ann", [act("take 1", behind=1), act("take 1", "end")], [act("end", behind=1), act("take 1")])
    bob = Player("bob", [act("take 1", behind=1), act("take 1", "end")])
    played = await Table(nursery, ann, bob).play(pile=3)
    assert played.result.stale == [2, 1]
    assert [error.code for error in ann.told(Error)] == ["stale", "stale"]
    assert actions(played) == [(0, "take 1"), (0, "end"), (1, "take 1"), (1, "end"), (0, "take 1")]


async def test_talk_and_unknown_messages_change_nothing(nursery: trio.Nursery) -> None:
    chatter = [
        say(b'{"type":"sing","song":"la"}'),
        say(Say(match="1-1", text="hello")),
        say(Join(protocol=1, name="eve")),
        say(Pong(id=3)),
    ]
    noisy = Player("ann", *[[*chatter, TAKE]] * 3)
    quiet = Player("ann", then=TAKE)
    runs = [await Table(nursery, ann, Player("bob", then=TAKE)).play(pile=5) for ann in (noisy, quiet)]
    assert timeless(runs[0].lines)[:-1] == timeless(runs[1].lines)[:-1]
    assert [error.code for error in noisy.told(Error)] == ["unknown_type", "no_talk", "already_joined"] * 3
    ends = [timeless([msgspec.structs.replace(run.result, unknown=[])]) for run in runs]
    assert ends[0] == ends[1]


async def test_messages_of_unknown_types_are_counted_by_seat(nursery: trio.Nursery) -> None:
    bob = Player("bob", [say(b'{"type":"sing"}'), say(b'{"type":"dance"}'), TAKE], then=TAKE)
    table = Table(nursery, Player("ann", then=TAKE), bob)
    played = await table.play()
    assert played.result.unknown == [0, 2]
    assert table.verified(played.lines).games == 1
    assert (await table.play(match="2-1")).result.unknown == []


async def test_too_many_messages_for_a_turn_are_a_fault(nursery: trio.Nursery) -> None:
    ann = Player("ann", [*[say(b'{"type":"sing"}')] * 3, TAKE], [*[say(b'{"type":"sing"}')] * 4, TAKE])
    played = await Table(nursery, ann, Player("bob", then=TAKE), limits=Limits(messages=4)).play(pile=9)
    (fault,) = played.of(FaultLine)
    assert (fault.seat, fault.kind, fault.n) == (0, "protocol", 4)


# ---- forfeits --------------------------------------------------------------------------------------------------------

FAULTY: dict[FaultKind, Answer] = {
    FaultKind.ILLEGAL: act("jump"),
    FaultKind.TIMEOUT: SILENCE,
    FaultKind.CRASH: CRASH,
    FaultKind.DISCONNECT: say(Quit()),
    FaultKind.PROTOCOL: say(b"hello"),
    FaultKind.OVERSIZE: fail(LineTooLong(65536, "x")),
    FaultKind.MEMORY: fail(SeatFault(FaultKind.MEMORY, "it grew")),
}
"""For every kind of fault an answer that is one, where one illegal action forfeits."""

ONE_STRIKE = Limits(illegal=1, quit=1.5)
CLOCK = TimeControl(move=1)


def test_every_kind_of_fault_is_here() -> None:
    assert FAULTY.keys() == SEAT_FAULTS


@pytest.mark.parametrize("kind", sorted(FAULTY))
async def test_a_fault_of_any_kind_between_two_ends_the_match(
    autojump_clock: MockClock, nursery: trio.Nursery, kind: FaultKind
) -> None:
    ann = Player("ann", TAKE, FAULTY[kind])
    bob = Player("bob", then=act("end"))
    table = Table(nursery, ann, bob, control=CLOCK, limits=ONE_STRIKE)
    played = await table.play(match="4-1")
    assert played.faults() == {0: kind}
    assert (played.result.outcome, played.result.ranking) == ("forfeit", [2, 1])
    (told,) = bob.told(Result)
    assert (told.outcome, told.ranking, told.reasons) == ("forfeit", [2, 1], played.result.reasons)
    assert table.verified(played.lines).games == 1


@pytest.mark.parametrize("kind", sorted(SEAT_FAULTS - {FaultKind.ILLEGAL}))
async def test_who_commits_a_fault_is_told_so_and_sent_away(
    autojump_clock: MockClock, nursery: trio.Nursery, kind: FaultKind
) -> None:
    ann = Player("ann", TAKE, FAULTY[kind], want=["events"])
    table = Table(nursery, ann, Player("bob"), control=CLOCK, limits=ONE_STRIKE)
    played = await table.play(pile=9)
    await trio.testing.wait_all_tasks_blocked()
    (error,) = ann.told(Error)
    assert (error.code, error.reason, error.fatal) == (kind, played.of(FaultLine)[0].reason, True)
    assert ann.kinds()[-2:] == ["error", "bye"]
    assert ann.channels[0].closed == 1.5
    assert table.bots[0].channel is None


async def test_who_was_sent_away_comes_back_for_the_next_match(nursery: trio.Nursery) -> None:
    ann = Player("ann", CRASH, then=TAKE)
    table = Table(nursery, ann, Player("bob", then=TAKE))
    assert (await table.play(match="1-1")).faults() == {0: "crash"}
    assert (await table.play(match="1-2")).faults() == {}
    assert len(ann.channels) == 2


async def test_who_only_played_illegally_stays_and_is_told_what_happens(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("jump"), want=["events"], then=TAKE)
    players = [ann, Player("bob", then=TAKE), Player("cyd", then=TAKE)]
    table = Table(nursery, *players, limits=ONE_STRIKE)
    first = await table.play(pile=4)
    assert first.faults() == {0: "illegal"}
    assert [event.auto for event in ann.told(Event) if event.action] == [line.auto for line in first.of(ActionLine)]
    assert len(ann.told(Result)) == 1
    assert (await table.play(pile=4)).faults() == {}
    assert len(ann.channels) == 1


async def test_the_tail_of_standard_error_is_recorded(nursery: trio.Nursery) -> None:
    ann = Player("ann", CRASH)
    table = Table(nursery, ann, Player("bob"))
    for bot in table.bots:
        await bot.start()
    ann.channels[0].tail = "Traceback"
    assert (await table.play(pile=9)).result.stderr == ["Traceback", None]


async def test_the_arena_passes_for_a_seat_that_is_out(nursery: trio.Nursery) -> None:
    players = [Player(name, then=TAKE, want=["events"]) for name in ("ann", "bob", "cyd")]
    players[1] = Player("bob", act("take 1"), CRASH)
    played = await Table(nursery, *players).play(pile=8)
    assert actions(played) == [
        (0, "take 1"),
        (0, "end"),
        (1, "take 1"),
        (1, "end*"),
        (2, "take 1"),
        (2, "end"),
        (0, "take 1"),
        (0, "end"),
        (1, "end*"),
        (2, "take 1"),
        (2, "end"),
        (0, "take 1"),
        (0, "end"),
        (1, "end*"),
    ]
    assert [event.auto for event in players[0].told(Event) if event.action] == [
        line.auto for line in played.of(ActionLine)
    ]
    assert all(line.ms is None for line in played.of(ActionLine) if line.auto)
    assert played.result.scores == [3, 1, 2]
    assert played.result.ranking == [1, 3, 2]


async def test_of_four_the_first_to_go_is_last_and_the_one_left_wins(nursery: trio.Nursery) -> None:
    ann = Player("ann", TAKE, CRASH)
    bob = Player("bob", act("take 3", "end"), act("take 3", "end"), say(Quit()))
    cyd = Player("cyd", say(b"hello"))
    dan = Player("dan", then=act("end"))
    played = await Table(nursery, ann, bob, cyd, dan).play(pile=30)
    assert [(line.seat, line.kind) for line in played.of(FaultLine)] == [
        (2, "protocol"),
        (0, "crash"),
        (1, "disconnect"),
    ]
    assert played.result.ranking == [3, 2, 4, 1]
    assert played.result.scores == [1, 6, 0, 0]
    assert dan.told(Result)[0].ranking == [3, 2, 4, 1]


async def test_of_three_the_two_left_are_ranked_by_their_points(nursery: trio.Nursery) -> None:
    ann = Player("ann", act("take 3", "end"), CRASH)
    bob, cyd = Player("bob", then=act("end")), Player("cyd", then=act("take 1", "end"))
    played = await Table(nursery, ann, bob, cyd).play(pile=7)
    assert played.result.scores == [3, 0, 1]
    assert played.result.ranking == [3, 2, 1]


async def test_the_last_action_may_be_the_arenas(nursery: trio.Nursery) -> None:
    players = [Player("ann", CRASH), Player("bob", then=act("end")), Player("cyd", then=act("end"))]
    played = await Table(nursery, *players).play(pile=4)
    assert actions(played)[-1] == (0, "end*")
    assert played.result.ranking == [3, 1, 1]


async def test_who_is_not_ready_forfeits_before_the_first_turn(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    ann, cyd = Player("ann", then=TAKE, want=["events"]), Player("cyd", then=TAKE)
    bob = Player("bob", on={Start: SILENCE})
    played = await Table(nursery, ann, bob, cyd, limits=Limits(ready=3)).play(pile=5)
    (fault,) = played.of(FaultLine)
    assert (fault.n, fault.seat, fault.kind, fault.reason) == (0, 1, "timeout", "no `ready` within 3 s")
    assert ann.kinds()[:3] == ["start", "event", "turn"]
    assert played.result.ranking == [1, 3, 2]


async def test_all_get_ready_at_once(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    players = [Player(name, on={Start: ready(after=2)}, then=TAKE) for name in ("ann", "bob", "cyd")]
    played = await Table(nursery, *players, limits=Limits(ready=3)).play(pile=3)
    assert trio.current_time() == 2.0
    assert played.faults() == {}


async def test_when_none_is_ready_they_share_a_place(nursery: trio.Nursery) -> None:
    players = [Player(name, on={Start: CRASH}) for name in ("ann", "bob", "cyd")]
    table = Table(nursery, *players)
    played = await table.play()
    assert [line.seat for line in played.of(FaultLine)] == [0, 1, 2]
    assert (played.result.outcome, played.result.ranking) == ("forfeit", [1, 1, 1])
    assert played.of(ActionLine) == []
    assert table.verified(played.lines).games == 1


# ---- one match after the other ---------------------------------------------------------------------------------------


async def test_numbers_of_requests_are_never_used_again(nursery: trio.Nursery) -> None:
    ann = Player("ann", TAKE, CRASH, then=TAKE)
    table = Table(nursery, ann, Player("bob", then=TAKE))
    for k in range(3):
        await table.play(match=f"1-{k}")
    ids = [turn.id for turn in ann.told(Turn)]
    assert ids == list(range(1, len(ids) + 1))
    assert len(ids) > 5


async def test_an_answer_of_the_last_match_is_not_taken_for_one_of_this(nursery: trio.Nursery) -> None:
    """The bot answers its last request once more, after the match has ended."""
    ann = Player("ann", act("take 2", "end"), [act("take 1"), act("take 3")], then=TAKE)
    bob = Player("bob", then=TAKE)
    table = Table(nursery, ann, bob)
    assert actions(await table.play(pile=4))[-1] == (0, "take 1")
    second = await table.play(pile=3, match="1-2")
    assert actions(second)[0] == (0, "take 1")
    assert second.result.stale == [1, 0]


async def test_a_bot_that_left_after_the_result_is_started_anew(nursery: trio.Nursery) -> None:
    ann = Player("ann", on={Result: CRASH}, then=TAKE)
    table = Table(nursery, ann, Player("bob", then=TAKE))
    assert (await table.play(pile=2)).faults() == {}
    assert (await table.play(pile=2, match="1-2")).faults() == {}
    assert [channel.closed is not None for channel in ann.channels] == [True, False]
    assert [message.bot for message in ann.told(Welcome)] == ["ann", "ann"]


async def test_who_was_stopped_while_others_got_ready_is_told_too(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    players = [Player("ann"), *[Player(name, on={Start: SILENCE}) for name in ("bob", "cyd")]]
    with trio.move_on_after(5):
        await Table(nursery, *players).play(pile=3)
    assert [[result.outcome for result in player.told(Result)] for player in players] == [["void"]] * 3


@pytest.mark.parametrize("stopped", [False, True])
async def test_who_can_be_reached_is_told_that_the_match_is_void(
    stopped: bool, autojump_clock: MockClock, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = Player("ann", then=SILENCE if stopped else TAKE), Player("bob", then=TAKE)
    table = Table(nursery, ann, bob)
    if stopped:
        with trio.move_on_after(5) as scope:
            await table.play(pile=3)
        assert scope.cancelled_caught
    else:
        monkeypatch.setattr(NimState, "apply", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await table.play(pile=3)
    for player in (ann, bob):
        (result,) = player.told(Result)
        assert (result.outcome, result.ranking, result.scores) == ("void", [], [])
        assert {fault.kind for fault in result.reasons if fault} == {"stopped" if stopped else "arena"}


# ---- latency ---------------------------------------------------------------------------------------------------------


async def test_the_arenas_own_part_is_from_an_answer_to_the_next_request(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    """The clock stands still here while the arena works, so that it takes nothing, however long the bots take."""
    players = [Player(name, then=act("take 1", "end", after=0.5)) for name in ("ann", "bob")]
    played = await Table(nursery, *players).play(pile=5)
    latency = played.result.latency
    assert latency is not None
    assert (latency.decisions, latency.median_us, latency.max_us) == (4, 0, 0)


async def test_waiting_in_vain_is_not_the_arenas_part(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    ann = Player("ann", TAKE, SILENCE)
    players = [ann, *[Player(name, then=act("take 1", "end", after=0.5)) for name in ("bob", "cyd")]]
    played = await Table(nursery, *players, control=CLOCK).play(pile=9)
    assert played.faults() == {0: "timeout"}
    latency = played.result.latency
    assert latency is not None
    assert latency.max_us == 0


async def test_without_two_answers_there_is_no_latency(nursery: trio.Nursery) -> None:
    played = await Table(nursery, Player("ann", then=act("take 1")), Player("bob")).play(pile=1)
    assert played.result.latency is None


# ---- any match -------------------------------------------------------------------------------------------------------

ACTION = st.sampled_from(["end", "end", "take 1", "take 1", "take 2", "take 3", "take 4", "jump"])
REPLY = st.one_of(
    *[st.builds(act, ACTION, ACTION, after=st.sampled_from([0, 0.25, 0.5]))] * 6,
    *[st.builds(act, ACTION, note=st.sampled_from([None, "hm"]))] * 6,
    st.builds(act, ACTION, behind=st.integers(-1, 2)),
    st.sampled_from([say(b'{"type":"sing"}'), say(Pong(id=1)), say(b"hello"), say(Quit()), CRASH, SILENCE]),
)
ANSWERS = st.lists(REPLY, max_size=8)


@given(st.lists(ANSWERS, min_size=2, max_size=4), st.sampled_from(SUBSETS), st.integers(1, 5))
def test_any_match_is_recorded_in_full_told_in_full_and_the_same_again(
    scripts: list[list[Answer]], want: tuple[Want, ...], illegal: int
) -> None:
    limits = Limits(illegal=illegal, messages=5)

    async def match(delay: float) -> tuple[Table, Played, Sequence[Player]]:
        players = [
            Player(f"p{k}", *[_later(answer, delay) for answer in answers], then=act("take 1", "end"), want=want)
            for k, answers in enumerate(scripts)
        ]
        async with trio.open_nursery() as nursery:
            table = Table(nursery, *players, control=TimeControl(move=4), limits=limits)
            return table, await table.play(), players

    table, played, players = trio.run(match, 0, clock=MockClock(autojump_threshold=0))
    assert table.verified(played.lines).games == 1
    _, again, _ = trio.run(match, 0.125, clock=MockClock(autojump_threshold=0))
    assert timeless(again.lines) == timeless(played.lines)
    for seat, player in enumerate(players):
        gone = played.faults().get(seat, "illegal") != "illegal"
        assert player.kinds()[-1] == ("bye" if gone else "result")
        assert len(player.told(Result)) == (0 if gone else 1)
        assert [turn.id for turn in player.told(Turn)] == list(range(1, len(player.told(Turn)) + 1))
        assert len(player.told(Bye)) == gone
        events = [event.n for event in player.told(Event) if event.action]
        assert events == list(range(1, len(events) + 1))
        if not gone:
            assert len(events) == played.result.actions * ("events" in want)


def _later(answer: Answer, delay: float) -> Answer:
    return Reply(answer.make, answer.after + delay) if isinstance(answer, Reply) else answer
