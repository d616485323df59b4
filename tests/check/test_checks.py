"""Every check finds the fault that it looks for, in a bot that has no other, and none in a good bot."""

from __future__ import annotations

import re

import pytest
from check import players
from check.inspector import failed, found, setting
from check.players import Listener, Player, player
from toygame import NimGame
from trio.testing import MockClock

from mexica_cli.check.catalogue import CHECKS
from mexica_cli.check.finding import Finding, Verdict
from mexica_cli.games import load_game
from mexica_cli.games.game import Game

PROCESS = {"pieces", "bye", "sent-away", "end-of-input", "nothing-left"}
"""Checks of what a bot inside the arena hasn't got: pipes, and an end. `test_processes.py` has them."""

FAULTS = [
    ("join", players.Chess, r"^it says that it plays chess, and not nim$"),
    ("versions", players.Newest, r"^protocol 2 is not spoken here, 1 is$"),
    ("ready", players.Elsewhere, r"^no `ready` for the match 1-1 within 60 s$"),
    ("want", players.Spoiled, r"^no `play` for the `turn` 1: the bot raised KeyError: 'state'$"),
    ("turn", players.Silent, r"^no `play` for the `turn` 1 within 60 s$"),
    ("game", players.Illegal, r"^`xyzzy` is illegal: 'xyzzy' is neither"),
    ("seats", players.ThreeSeats, r"^no `ready` for the match 1-4: the bot raised IndexError"),
    ("several-games", players.FirstSeat, r"^no `ready` for the match 1-2: the bot raised IndexError"),
    ("seats", players.ConfusedBySeat, r"^in seat 3 of 4: `xyzzy` is illegal"),
    ("several-games", players.ConfusedByMatches, r"^in game 2 over this connection: `xyzzy` is illegal"),
    (
        "ids",
        players.ThirtyTwoBits,
        r"^no `play` for the `turn` 2147483648 within 60 s; the last that came has the id 0$",
    ),
    ("ids", players.Twice, r"^a `play` came with the id 1, which wasn't that of the latest `turn`$"),
    ("quiet", players.Twice, r'^lines that nobody had asked for, \d+ in all; the first: \{"type": "play", "id": 1,'),
    ("clocks", players.MoveTime, r"^no `play` for the `turn` 1: the bot raised KeyError: 'move_ms'$"),
    ("short-clock", players.Slow, r"^no `play` for the `turn` 1 within 15 s$"),
    ("reject", players.Deaf, r"^no other `play` for the `turn` 2 within 60 s$"),
    (
        "reject-middle",
        players.Forgetful,
        r"^`take 1` stood, the action after it was rejected: `take 1` is illegal: at most",
    ),
    (
        "strikes-out",
        players.Insistent,
        r"^a `play` for the `turn` 2 came, which a `reject` with `strikes_left` 0 had ended$",
    ),
    ("strikes-out", players.Offended, r"^no `ready` for the match 1-2: the bot raised SystemExit"),
    ("forfeits", players.Eventful, r"the bot raised KeyError: 'action'$"),
    ("forfeits", players.ConfusedByForfeit, r"^after another seat's forfeit: `xyzzy` is illegal"),
    ("void", players.ConfusedByMatches, r"^when the match is played again: `xyzzy` is illegal"),
    ("void", players.Placed, r"^no `ready` for the match 1-1: the bot raised IndexError"),
    ("ping", players.Pongless, r"^no `pong` within 60 s$"),
    ("ping", players.Busy, r"^no `pong` within 60 s$"),
    ("ping", players.Miscounting, r"^no `pong` within 60 s$"),
    ("errors", players.Nervous, r"^there was an answer too many, a `play` with the id 1$"),
    ("errors", players.Touchy, r"the bot raised RuntimeError: unknown_type$"),
    ("unknown-messages", players.Strict, r"the bot raised NotImplementedError: weather$"),
    ("unknown-messages", players.ConfusedByStrangers, r"^`xyzzy` is illegal"),
    ("unknown-fields", players.FixedFields, r"^no `join`: the bot raised TypeError: unexpected keyword argument$"),
    ("unknown-fields", players.TypeFirst, r"^no `join` within 60 s$"),
    ("nulls", players.Nullable, r"the bot raised TypeError: object of type 'NoneType' has no len"),
    ("nulls", players.Clocked, r"the bot raised TypeError: int\(\) argument must be"),
    ("odd-json", players.Tight, r"^no `join` within 60 s$"),
    ("long-lines", players.Short, r"^no `join`: the bot raised JSONDecodeError"),
]
"""A check, a bot, and why it fails."""

DOUBTS = [
    ("want", players.Undemanding, r"^it wants nothing, so nothing tells it a vote from a turn of its own$"),
    ("game", players.Overlong, r"^\d+ of its answers went on after its turn was over$"),
    ("clocks", players.Timeless, r"^without a limit: no `play` for the `turn` \d+ within 60 s$"),
    (
        "determinism",
        players.Moody,
        r"^the same match again, and answer 1 is `(end|take 1)` once and `(end|take 1)` then$",
    ),
    ("reject", players.Stubborn, r"^every time it gave the rejected action again, though there were others"),
]
"""The same for what is no fault."""


@pytest.fixture
def nim() -> Game:
    """The toy game in which a turn has two actions."""
    return NimGame(most=1)


async def found_by(check: str, kind: type[Player], game: Game) -> Finding:
    """What a check finds of that bot."""
    [finding] = await found(setting(player(kind), game), check)
    return finding


@pytest.mark.parametrize(("check", "kind", "reason"), FAULTS)
async def test_a_fault_is_found(
    autojump_clock: MockClock, nim: Game, check: str, kind: type[Player], reason: str
) -> None:
    finding = await found_by(check, kind, nim)
    assert finding.verdict is Verdict.FAIL
    assert re.search(reason, finding.reason), finding.reason
    assert finding.dialogue


@pytest.mark.parametrize(("check", "kind", "reason"), DOUBTS)
async def test_a_doubt_is_said(
    autojump_clock: MockClock, nim: Game, check: str, kind: type[Player], reason: str
) -> None:
    game = NimGame(most=3) if kind is players.Stubborn else nim
    finding = await found_by(check, kind, game)
    assert finding.verdict is Verdict.WARN
    assert re.search(reason, finding.reason), finding.reason


def test_every_check_has_a_bot_that_fails_it() -> None:
    judged = {check for check, _, _ in (*FAULTS, *DOUBTS)} | PROCESS | {"votes", "said"}
    assert judged == {check.name for check in CHECKS}


@pytest.mark.parametrize("name", ["nim", "mexica", "moctezuma"])
async def test_a_good_bot_passes(autojump_clock: MockClock, name: str) -> None:
    game = NimGame() if name == "nim" else load_game(name)
    checks = [check.name for check in CHECKS if check.name not in PROCESS]
    findings = await found(setting(player(Player), game, players=3), *checks)
    assert failed(findings) == {}
    assert {finding.name for finding in findings if finding.verdict is not Verdict.PASS} <= {
        "votes",
        "said",
        "reject-middle",
    }


async def test_several_actions_an_answer_are_fine(autojump_clock: MockClock, nim: Game) -> None:
    finding = await found_by("reject-middle", players.WholeTurns, nim)
    assert finding.verdict is Verdict.PASS


async def test_what_comes_after_the_end_is_dropped_without_a_word(autojump_clock: MockClock, nim: Game) -> None:
    class Closer(Listener):
        """Plays whole turns, also the one that ends the game before its second action."""

        def choose(self) -> list[str]:
            return ["take 1", "end"] if "take 1" in self.asked["legal"] else ["end"]

    for seed in range(8):
        [finding] = await found(setting(player(Closer), nim, seed=seed), "game")
        assert finding.verdict is Verdict.PASS
        if Closer.told("event")[-1]["seat"] == 0:
            break
    else:
        pytest.fail("it never came to that")
    assert not Closer.told("reject")


@pytest.mark.parametrize("check", ["reject-middle", "votes", "said"])
async def test_what_does_not_come_up_is_not_judged(autojump_clock: MockClock, nim: Game, check: str) -> None:
    finding = await found_by(check, Player, nim)
    assert finding.verdict is Verdict.NOT_APPLICABLE


async def test_a_vote_is_asked_for_and_judged(autojump_clock: MockClock) -> None:
    game = load_game("mexica")
    good, bad = await found_by("votes", Player, game), await found_by("votes", players.Voteless, game)
    assert (good.verdict, bad.verdict) == (Verdict.PASS, Verdict.FAIL)
    assert re.search(r"answers, it gave `agree`$", good.reason)
    assert re.search(r"^asked in the turn of seat 0: `end` is illegal", bad.reason)


async def test_a_team_talks(autojump_clock: MockClock) -> None:
    class Listening(Player):
        want = ("legal", "events")

    game = load_game("moctezuma")
    good, bad = await found_by("said", Listening, game), await found_by("said", players.Deafening, game)
    assert (good.verdict, good.reason) == (Verdict.PASS, "it heard its team")
    assert bad.verdict is Verdict.FAIL
    assert re.search(r"the bot raised RuntimeError: I can hold", bad.reason)


async def test_to_talk_to_a_team_in_time_is_no_surplus(autojump_clock: MockClock) -> None:
    class Talker(Player):
        want = ("legal", "state")

        def play(self, actions: list[str]) -> list[players.Message]:
            talk = {"type": "say", "match": self.asked["match"], "text": "Here I stand."}
            return [talk, *super().play(actions)] if self.talks() else super().play(actions)

        def talks(self) -> bool:
            return bool(self.asked["state"]["phase"] == "planning")

    class Chatterbox(Talker):
        def talks(self) -> bool:
            return True

    game = load_game("moctezuma")
    good, bad = await found_by("quiet", Talker, game), await found_by("quiet", Chatterbox, game)
    assert good.verdict is Verdict.PASS
    assert bad.verdict is Verdict.FAIL
    assert re.search(r'the first: \{"type": "say"', bad.reason)


async def test_an_illegal_action_is_shown_where_it_was_played(autojump_clock: MockClock, nim: Game) -> None:
    finding = await found_by("game", players.Illegal, nim)
    *_, play, reject = finding.dialogue
    assert '"xyzzy"' in play.line
    assert '"type":"reject"' in reject.line


async def test_too_many_illegal_actions_end_any_check(autojump_clock: MockClock, nim: Game) -> None:
    class Nonsense(Player):
        def choose(self) -> list[str]:
            return ["xyzzy"]

        def reject(self, message: players.Message) -> list[players.Message]:
            return self.play(["xyzzy"])

    finding = await found_by("turn", Nonsense, nim)
    assert re.search(r"^`xyzzy` is illegal: .*; that is number 3 in this match$", finding.reason)
    assert '"strikes_left":0' in finding.dialogue[-1].line


# ---- what the bot is told --------------------------------------------------------------------------------------------


async def test_the_clock_runs_as_in_a_match(autojump_clock: MockClock, nim: Game) -> None:
    assert (await found_by("clocks", Listener, nim)).verdict is Verdict.PASS
    told = [(turn["match"], {**turn["clock"], "last_ms": None}) for turn in Listener.told("turn")]
    bank = {"left_ms": 600_000, "bank_ms": 600_000, "increment_ms": 60_000, "last_ms": None}
    later = {**bank, "left_ms": 660_000, "bank_ms": 660_000}
    assert told[:2] == [("1-1", bank), ("1-1", later)]
    assert told[2:] == [
        ("1-2", {**bank, "left_ms": 60_000, "move_ms": 60_000}),
        ("1-2", {**later, "left_ms": 60_000, "move_ms": 60_000}),
        ("1-3", {"last_ms": None}),
        ("1-3", {"last_ms": None}),
    ]


async def test_the_time_of_a_turn_is_used_up_by_its_answers(autojump_clock: MockClock, nim: Game) -> None:
    assert (await found_by("short-clock", Listener, nim)).verdict is Verdict.PASS
    assert [turn["clock"]["left_ms"] for turn in Listener.told("turn")] == [15_000, 15_000]
    assert {turn["clock"]["move_ms"] for turn in Listener.told("turn")} == {60_000}


async def test_thinking_takes_time(autojump_clock: MockClock, nim: Game) -> None:
    class Thinker(Listener):
        def choose(self) -> list[str]:
            autojump_clock.jump(7.0)
            return [self.asked["legal"][-1]]

    assert (await found_by("turn", Thinker, nim)).reason == "3 answers, 7000 ms each"
    clocks = [turn["clock"] for turn in Thinker.told("turn")]
    assert [clock["left_ms"] for clock in clocks] == [60_000, 53_000, 60_000]
    assert [clock.get("last_ms") for clock in clocks] == [None, 7000.0, 7000.0]


async def test_who_has_forfeited_passes(autojump_clock: MockClock, nim: Game) -> None:
    assert (await found_by("forfeits", Listener, nim)).verdict is Verdict.PASS
    events = Listener.told("event")
    [first, *_] = gone = [event for event in events if "action" not in event]
    assert [event["seat"] for event in gone] == [1, 2, 3]
    assert first["followed"] == [{"what": "forfeit", "seat": 1, "kind": "disconnect", "reason": "it quit in mid-match"}]
    acts = [event for event in events[events.index(first) :] if "action" in event]
    assert {(event["seat"], event.get("auto", False)) for event in acts} == {
        (0, False),
        (1, True),
        (2, False),
        (3, False),
    }
    assert {event["action"] for event in acts if event.get("auto")} == {"end"}
    [result] = Listener.told("result")
    assert (result["outcome"], result["ranking"]) == ("forfeit", [1, 4, 3, 2])


async def test_what_is_hidden_stays_so(autojump_clock: MockClock) -> None:
    assert (await found_by("game", Listener, load_game("moctezuma"))).verdict is Verdict.PASS
    events = Listener.told("event")
    assert "play ?" in {event["action"] for event in events if event["seat"] != 0}
    assert "play ?" not in {event["action"] for event in events if event["seat"] == 0}
    drawn = [entry for event in events for entry in event.get("followed", []) if entry["what"] == "drawn"]
    assert {entry["card"] for entry in drawn if entry["seat"] != 0 and not entry["known"]} == {None}
    assert None not in {entry["card"] for entry in drawn if entry["seat"] == 0}


async def test_a_match_is_told_as_the_referee_tells_it(autojump_clock: MockClock, nim: Game) -> None:
    assert (await found_by("game", Listener, nim)).verdict is Verdict.PASS
    kinds = [message["type"] for message in Listener.heard]
    assert kinds[:3] == ["hello", "welcome", "start"]
    assert kinds[-2:] == ["result", "bye"]
    numbers = [event["n"] for event in Listener.told("event")]
    assert numbers == list(range(1, len(numbers) + 1))
    ids = [turn["id"] for turn in Listener.told("turn")]
    assert ids == list(range(1, len(ids) + 1))
    [result] = Listener.told("result")
    assert (result["outcome"], result["reasons"]) == ("finished", [None, None])


# ---- one check after the other ---------------------------------------------------------------------------------------


async def test_without_the_basics_nothing_else_is_tried(autojump_clock: MockClock, nim: Game) -> None:
    findings = await found(setting(player(players.Elsewhere), nim), "join", "ready", "turn", "ping")
    assert [finding.verdict for finding in findings] == ["pass", "fail", "not_applicable", "not_applicable"]
    assert findings[-1].reason == "not tried: `ready` has failed"
    assert [finding.broken for finding in findings] == [None, None, "ready", "ready"]


async def test_findings_come_in_order_whatever_is_done_first(autojump_clock: MockClock, nim: Game) -> None:
    names = ["join", "quiet", "ping", "errors", "void", "seats"]
    alone = await found(setting(player(players.Pongless), nim), *names)
    together = await found(setting(player(players.Pongless), nim), *names, jobs=4)
    assert [(f.name, f.verdict, f.reason) for f in together] == [(f.name, f.verdict, f.reason) for f in alone]
