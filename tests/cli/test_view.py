"""`mexica view`: pages and pictures of logs, and what it says where there is none."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pagekit import SEATS, EagerMatch, played, states
from toygame import add_toy_game
from toylog import ToyMatch, encode, header, toy_log

from mexica_cli.cli.main import run
from mexica_cli.games import load_game
from mexica_cli.record.lines import ActionLine, Line
from mexica_cli.view.scene import Scene
from mexica_cli.view.svg import View, draw_svg


def lines_of(*games: tuple[str, int]) -> list[Line]:
    """A log of whole games of one kind, under the ids 1-1, 1-2 and so on."""
    found: list[Line] = [header(load_game(games[0][0]))]
    for number, (name, players) in enumerate(games, 1):
        found += [line for _, line in played(name, players, f"1-{number}").lines]
    return found


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of two games of Mexica, with a void one between them."""
    lines = lines_of(("mexica", 2), ("mexica", 3))
    void = EagerMatch(load_game("mexica"), "1-2", SEATS[:2]).void()
    middle = next(place for place, line in enumerate(lines) if getattr(line, "match", "") == "1-2")
    path = tmp_path / "games.jsonl"
    path.write_bytes(encode([*lines[:middle], *void, *lines[middle:]]))
    return path


def data(page: str, name: str) -> str:
    """What lies in a page under that name."""
    found = re.search(rf'<script type="[^"]*" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return found[1]


def index(page: str) -> list[dict[str, Any]]:
    """The list of a page's games."""
    found: list[dict[str, Any]] = json.loads(data(page, "page"))["index"]
    return found


def messages(page: str, game: int) -> list[dict[str, Any]]:
    """What the page is told of its game of that number."""
    return [json.loads(line) for line in gzip.decompress(b64decode(data(page, f"game-{game}"))).splitlines()]


def test_a_page_holds_the_whole_games(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.html"
    assert run(["view", str(log), "-o", str(target)]) == 0
    page = target.read_text("utf-8")
    assert [entry["match"] for entry in index(page)] == ["1-1", "1-2"]
    assert [len(entry["seats"]) for entry in index(page)] == [2, 3]
    for number, entry in enumerate(index(page), 1):
        told = messages(page, number)
        steps = [message for message in told if message["type"] == "step"]
        assert (told[0]["type"], told[-1]["type"], len(steps)) == ("start", "end", entry["actions"])
        assert told[-1]["scores"] == entry["scores"]


def test_the_same_log_makes_the_same_page(log: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a.html", tmp_path / "b.html"
    for target in (first, second):
        assert run(["view", str(log), "-o", str(target)]) == 0
    assert first.read_bytes() == second.read_bytes()


def test_a_page_needs_nothing_else(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "games.html"
    run(["view", str(log), "-o", str(target)])
    page = target.read_text("utf-8")
    assert not re.findall(r"""(?:src|href)=["'](?!#)""", page)
    assert set(re.findall(r"https?://[^\"'\s]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page


@pytest.mark.parametrize(("which", "match"), [("2", "1-2"), ("1-1", "1-1")])
def test_one_game(which: str, match: str, log: Path, tmp_path: Path) -> None:
    target = tmp_path / "game.html"
    assert run(["view", str(log), "--game", which, "-o", str(target)]) == 0
    assert [entry["match"] for entry in index(target.read_text("utf-8"))] == [match]


def test_names_from_strangers_stay_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = add_toy_game(monkeypatch)
    evil = "</script><img src=x onerror=alert(1)>"
    head = header(game)
    bots = [msgspec.structs.replace(bot, name=evil if bot.name == "ann" else bot.name) for bot in head.bots]
    log = tmp_path / "evil.jsonl"
    log.write_bytes(
        encode([msgspec.structs.replace(head, bots=bots), *ToyMatch(game, "0-0", (evil, "bob")).play().result()])
    )
    target = tmp_path / "evil.html"
    assert run(["view", str(log), "-o", str(target)]) == 0
    page = target.read_text("utf-8")
    assert "<img" not in page
    assert index(page)[0]["seats"] == [evil, "bob"]
    assert page.count("</script>") == page.count("<script")


def test_other_games_and_what_goes_wrong_in_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "nim.jsonl"
    log.write_bytes(encode(toy_log(add_toy_game(monkeypatch))))
    target = tmp_path / "nim.html"
    assert run(["view", str(log), "-o", str(target)]) == 0
    page = target.read_text("utf-8")
    assert "forfeit" in {entry["outcome"] for entry in index(page)}
    assert "void" not in {entry["outcome"] for entry in index(page)}
    kinds = {message["kind"] for game in range(1, 4) for message in messages(page, game) if message["type"] == "aside"}
    assert {"reject", "fault"} <= kinds


def test_a_picture(log: Path, tmp_path: Path) -> None:
    target = tmp_path / "picture.svg"
    assert run(["view", str(log), "--svg", "--game", "1-1", "--at", "50", "-o", str(target)]) == 0
    one = played("mexica", 2)
    state = states(one)[50]
    scene = Scene(observation=state.observation(None), options=load_game("mexica").options(), seats=one.game.seats)
    ann, bob = state.scores()
    view = View(title="Match 1-1 after 50 actions", caption=f"Match 1-1 after 50 actions: ann {ann}, bob {bob}")
    assert target.read_text("utf-8") == draw_svg(scene, view)


def test_a_picture_is_of_the_end_if_nothing_is_said(log: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["view", str(log), "--svg", "--game", "2", "-o", "-"]) == 0
    actions = sum(isinstance(line, ActionLine) for _, line in played("mexica", 3, "1-2").lines)
    assert f"after {actions} actions" in capfdbinary.readouterr().out.decode()


def test_standard_input_and_output(
    log: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(log.read_bytes()))))
    assert run(["view", "-", "-o", "-"]) == 0
    assert len(index(capfdbinary.readouterr().out.decode())) == 2


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (["-o", "x.html", "--at", "3"], 2, "--at goes with --svg"),
        (["-o", "x.html", "--game", "9-9"], 1, "there is no game '9-9' among 2 whole ones"),
        (["-o", "x.svg", "--svg", "--game", "1", "--at", "99999"], 1, "--at goes from 0 to "),
        ([], 2, "Missing option '-o'"),
    ],
)
def test_what_cannot_be(
    words: list[str],
    code: int,
    reason: str,
    log: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(log.parent)
    assert run(["view", str(log), *words]) == code
    assert reason in capsys.readouterr().err
    assert sorted(path.name for path in log.parent.iterdir()) == [log.name]


def test_only_mexica_has_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "cards.jsonl"
    log.write_bytes(encode(lines_of(("moctezuma", 1))))
    assert run(["view", str(log), "--svg", "-o", "-"]) == 2
    assert "--svg draws positions of mexica; this is a log of moctezuma" in capsys.readouterr().err


def test_a_log_without_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "empty.jsonl"
    log.write_bytes(encode([header(load_game("mexica"))]))
    assert run(["view", str(log), "-o", "-"]) == 1
    assert "there is no whole game" in capsys.readouterr().err


def test_a_wrong_log_is_named_with_its_place(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = log.read_bytes().replace(b'"n":7,', b'"n":8,', 1)
    log.write_bytes(broken)
    assert run(["view", str(log), "-o", str(tmp_path / "x.html")]) == 1
    assert "games.jsonl, match '1-1': `n` is 8, right would be 7" in capsys.readouterr().err
    log.write_bytes(log.read_bytes().replace(b'"type":"game"', b'"type":"gmae"', 1))
    assert run(["view", str(log), "-o", "-"]) == 1
    assert "games.jsonl, line 2:" in capsys.readouterr().err
