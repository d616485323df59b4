"""The bot in PROTOCOL.md plays, as it stands there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from mexica_cli.arena.bot import open_arena
from mexica_cli.arena.clock import TimeControl
from mexica_cli.arena.limits import Limits
from mexica_cli.arena.series import Series, SeriesPlan
from mexica_cli.arena.spec import parse_specs
from mexica_cli.games import load_game
from mexica_cli.record.lines import Line, RejectLine, ResultLine


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not on this machine")
async def test_the_bot_in_javascript_plays(protocol: Path, tmp_path: Path) -> None:
    found = re.search(r"^```js\n(.*?)^```$", (protocol / "PROTOCOL.md").read_text(), re.MULTILINE | re.DOTALL)
    assert found
    bot = tmp_path / "tiny.js"
    bot.write_text(found[1])
    lines: list[Line] = []
    plan = SeriesPlan(games=2, master_seed=1, control=TimeControl(move=60))
    async with open_arena(Limits(startup=60), []) as arena:
        bots = [arena.add(spec) for spec in parse_specs([f"node {bot}", f"node {bot}"])]
        await Series(load_game("mexica"), bots, plan, lines.append, lambda *_: None).run(frozenset(), lambda: False)
    results = [line for line in lines if isinstance(line, ResultLine)]
    assert [line.outcome for line in results] == ["finished", "finished"]
    assert [line.stale for line in results] == [[0, 0], [0, 0]]
    assert not any(isinstance(line, RejectLine) for line in lines)
