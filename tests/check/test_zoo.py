"""Every bot of the zoo fails the check that is made for its fault; those that are merely odd pass all."""

from __future__ import annotations

import re

import pytest
import trio
from arena.test_zoo import FATES
from arena.zookeeper import LONG, SHORT, clean_arena, zoo_bot
from arena.zookeeper import limits as zoo_limits
from check.inspector import BY_NAME, failed, found, setting
from toygame import NimGame

from mexica_cli.check.desk import Desk
from mexica_cli.check.finding import Finding, Verdict
from mexica_cli.check.runner import examine

_CRASH = r"^no `play` for the `turn` \d: the process exited with code "
_LATE = r"^no `play` for the `turn` \d within 0\.\d+ s"

FAILS = {
    "exits_at_once": ("join", r"^no `join`: the process exited with code 0$"),
    "fails_at_once": ("join", r"^no `join`: the process exited with code 1$"),
    "killed_at_once": ("join", r"^no `join`: the process was killed by SIGKILL$"),
    "greets_with_error": ("join", r"not JSON: .* The line begins: Error: can't find weights\.bin"),
    "silent_at_handshake": ("join", r"^no `join` within 0\.2 s$"),
    "wrong_version": ("join", r"^protocol 99 is not spoken here"),
    "binary_garbage": ("join", r"a line is UTF-8, and this one isn't at byte 0"),
    "broken_join": ("join", r"not JSON: "),
    "nameless_join": ("join", r"`join`: the field `name` is missing"),
    "ready_before_join": ("join", r"the first line must be a `join`"),
    "plays_something_else": ("join", r"^it says that it plays chess, go, and not nim$"),
    "endless_join": ("join", r"^a line may have 65536 bytes "),
    "never_ready": ("ready", r"^no `ready` for the match 1-1 within 0\.2 s$"),
    "ready_for_another": ("ready", r"^no `ready` for the match 1-1 within 0\.2 s$"),
    "crashes_at_start": ("ready", r"^no `ready` for the match 1-1: the process exited with code 1$"),
    "quits_at_start": ("ready", r"^it quit$"),
    "illegal_thrice": ("turn", r"^`take 9` is illegal: at most 1 stones a turn.*; that is number 3 in this match$"),
    "legal_then_illegal": ("turn", r"is illegal: .*; that is number 3 in this match$"),
    "hangs": ("turn", _LATE + "$"),
    "hangs_for_good": ("turn", _LATE + "$"),
    "burns_cpu": ("turn", _LATE + "$"),
    "answers_late": ("turn", _LATE + "$"),
    "answers_last_id": ("turn", _LATE + r"; the last that came has the id 0$"),
    "lone_cr": ("turn", _LATE + r"; \d+ bytes came without a line feed after them$"),
    "forgets_line_feed": ("turn", _LATE + r"; \d+ bytes came without a line feed after them$"),
    "floods_blank_lines": ("turn", _LATE),
    "closes_stdin": ("turn", _LATE + "; it no longer reads its input$"),
    "never_reads": ("turn", _LATE + "$"),
    "crashes": ("turn", _CRASH + "1$"),
    "crashes_loudly": ("turn", _CRASH + "1$"),
    "crashes_once": ("turn", _CRASH + "1$"),
    "exits_in_its_turn": ("turn", _CRASH + "0$"),
    "answers_and_exits": ("turn", _CRASH + "0$"),
    "segfaults": ("turn", r"the process was killed by SIGSEGV$"),
    "dies_before_its_child": ("turn", _CRASH + "7$"),
    "quits": ("turn", r"^it quit$"),
    "closes_stdout": ("turn", r"it closed its standard output$"),
    "prints_board": ("turn", r"not JSON: .* The line begins:    a b c$"),
    "bad_utf8": ("turn", r"^a line is UTF-8, and this one isn't at byte \d+"),
    "answers_with_list": ("turn", r"^a message is a JSON object with a `type`, and this is none"),
    "textual_id": ("turn", r"^`play`: the field `id` is wrong: expected `int`, got `str`"),
    "plays_nothing": ("turn", r"^`play`: the field `actions` is wrong"),
    "nests_deeply": ("turn", r"^`play`: the field `actions|nested too deeply"),
    "half_a_character": ("turn", r"not JSON: "),
    "floods_messages": ("turn", r"^more than 100 messages for one request$"),
    "floods_stale": ("turn", r"^more than 100 messages for one request$"),
    "long_line": ("turn", r"^a line may have 65536 bytes "),
    "endless_line": ("turn", r"^a line may have 65536 bytes "),
    "eats_memory": ("turn", r"more than the 64 MiB of memory that a bot may take$"),
    "child_eats_memory": ("turn", r"more than the 64 MiB of memory that a bot may take$"),
    "daemon_eats_memory": ("turn", r"more than the 64 MiB of memory that a bot may take$"),
    "illegal_once": ("game", r"^`xyzzy` is illegal: 'xyzzy' is neither"),
    "stale_then_right": ("ids", r"^a `play` came with the id 0, which wasn't that of the latest `turn`$"),
    "overruns_its_turn": ("quiet", r'lines that nobody had asked for, 1 in all; .*"play", "id": 1,'),
    "answers_twice": ("quiet", r'lines that nobody had asked for, 3 in all; .*"play", "id": 1,'),
    "unknown_types": ("quiet", r'lines that nobody had asked for, 3 in all; .*"type": "thinking"'),
    "talks_too_much": ("quiet", r'lines that nobody had asked for, 12 in all; .*"type": "join"'),
    "all_in_one_write": ("quiet", r'lines that nobody had asked for, 240 in all; .*"type": "thinking"'),
    "prints_after_bye": ("quiet", r"lines that nobody had asked for, 2 in all; the first: nodes searched: 12345$"),
    "floods_after_bye": ("quiet", r"lines that nobody had asked for, 100 in all; the first: one more thing$"),
    "leaves_after_result": ("several-games", r"^no `ready` for the match 1-2: the process exited with code 0$"),
    "ignores_bye": ("bye", r"^it was still there 0\.2 s after `bye` and the end of its input$"),
    "ignores_everything": ("end-of-input", r"^it was still there 0\.2 s after having joined and the end of its input$"),
    "outlived_by_anonym": ("nothing-left", r"^it has exited, and 1 of the processes that it started live on$"),
    "outlived_by_child": ("nothing-left", r"^it has exited, and 1 of the processes that it started live on$"),
    "outlived_by_daemon": ("nothing-left", r"^it has exited, and 1 of the processes that it started live on$"),
    "outlived_by_stray": ("nothing-left", r"^1 of the processes that it started hid whose it is$"),
}
"""A check that fails, and why."""

PASSES = ["good", "odd_json", "crlf", "bytewise", "longest_line", "floods_stderr", "closes_stderr", "shares_memory"]
"""What the protocol allows: escapes, CR LF, lines in pieces, long lines, anything on standard error."""


TIME_TO_LEAVE = {"quiet": 1.0, "nothing-left": 1.0}
"""Seconds to leave in checks that are about what a bot does by itself until then."""


def test_no_bot_is_forgotten() -> None:
    assert sorted([*FAILS, *PASSES]) == sorted(FATES)


async def examined(name: str, check: str) -> Finding:
    """What a check finds of a bot of the zoo; nothing is left of that bot."""
    fate = FATES[name]
    game = NimGame(most=1)
    bounds = zoo_limits(**{"quit": TIME_TO_LEAVE.get(check, SHORT), **fate.limits})
    given = setting(zoo_bot(name, *fate.argv), game, move=fate.move, limits=bounds)
    async with clean_arena(given.limits) as arena:
        with trio.fail_after(LONG):
            return await examine(BY_NAME[check], Desk(arena, arena.add(given.spec), given))


@pytest.mark.parametrize("name", FAILS)
async def test_a_bad_bot_fails(name: str) -> None:
    check, reason = FAILS[name]
    finding = await examined(name, check)
    assert finding.verdict is Verdict.FAIL
    assert re.search(reason, finding.reason), finding.reason


async def test_standard_error_is_shown() -> None:
    finding = await examined("crashes", "turn")
    assert finding.stderr.endswith("ValueError: can't think of anything for turn 2\n")


@pytest.mark.parametrize("name", PASSES)
async def test_an_odd_bot_passes(name: str) -> None:
    findings = await found(setting(zoo_bot(name), NimGame(most=1)), jobs=3)
    assert failed(findings) == {}
