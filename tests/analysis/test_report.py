"""Statistics, compared with what the lines of the log say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TypeVar

import pytest
from analysis.playing import arena_log
from toylog import encode, team_log

from mexica_cli.analysis import report
from mexica_cli.analysis.counts import Counts, Spread
from mexica_cli.analysis.walk import walk_logs
from mexica_cli.games.game import Game
from mexica_cli.record.lines import ActionLine
from mexica_cli.record.reader import LoggedGame, games, open_log

L = TypeVar("L", bound=report.StatsLine)
Lines = list[report.StatsLine]


def lines_of(path: Path) -> Lines:
    walk_logs([str(path)], counts := Counts())
    return list(report.report(counts))


def of(lines: Lines, kind: type[L]) -> list[L]:
    return [line for line in lines if isinstance(line, kind)]


def games_of(path: Path) -> list[LoggedGame]:
    with open_log(str(path)) as reader:
        return list(games(reader))


@pytest.fixture(scope="module")
def mexica(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games of three bots, one of which founds districts."""
    path = tmp_path_factory.mktemp("report") / "games.jsonl"
    words = ["--board", "small", "--option", "stall_rounds=2"]
    path.write_bytes(arena_log(*words, games=3, bots=["greedy", "random", "r2=random"]))
    return path


def test_a_bot(mexica: Path) -> None:
    played = games_of(mexica)
    for line in of(lines_of(mexica), report.BotStats):
        seats = [game.game.seats.index(line.bot) for game in played]
        results = [game.result for game in played]
        assert line.games == 3
        assert line.points == pytest.approx(
            sum(result.scores[seat] for seat, result in zip(seats, results, strict=True)) / 3, abs=1e-4
        )
        assert line.place == pytest.approx(
            sum(result.ranking[seat] for seat, result in zip(seats, results, strict=True)) / 3, abs=1e-4
        )
        own = [actions_of(game, line.bot) for game in played]
        assert line.actions == pytest.approx(sum(map(len, own)) / 3, abs=1e-4)
        ends = sum(action == "end" for actions in own for action in actions)
        assert line.turns == pytest.approx(ends / 3, abs=1e-4)
        assert line.ap is not None
        assert line.ap_unused is not None
        spent = sum(action == "spend" for actions in own for action in actions)
        assert (line.ap + line.ap_unused) * ends == pytest.approx(6 * ends + spent, abs=0.1)


def actions_of(game: LoggedGame, bot: str) -> list[str]:
    seat = game.game.seats.index(bot)
    return [line.action for _, line in game.lines if isinstance(line, ActionLine) and line.seat == seat]


def test_sources_add_up_to_the_points(mexica: Path) -> None:
    lines = lines_of(mexica)
    for bot in of(lines, report.BotStats):
        own = [line for line in of(lines, report.SourceStats) if line.bot == bot.bot]
        assert sum(line.points for line in own) == pytest.approx(bot.points, abs=1e-3)
        assert not own or sum(line.part for line in own) in (pytest.approx(1, abs=1e-3), 0)
        assert {line.source for line in own} <= {"founding", "bystander", "districts", "palace"}


def test_the_palace_is_told_from_the_districts(mexica: Path) -> None:
    palace: Counter[tuple[str, int]] = Counter()
    for game in games_of(mexica):
        for _, line in game.lines:
            for entry in line.followed if isinstance(line, ActionLine) else []:
                if entry["what"] == "scored":
                    for bot, points in zip(game.game.seats, entry["palace"], strict=True):
                        palace[bot, entry["period"]] += points
    told = [line for line in of(lines_of(mexica), report.SourceStats) if line.source == "palace"]
    assert sum(palace.values()) > 0
    assert {(line.bot, line.period): round(line.points * 3) for line in told if line.points} == +palace


def test_actions_and_sizes(mexica: Path) -> None:
    lines = lines_of(mexica)
    for bot in ("greedy", "random"):
        verbs = Counter(action.split(" ")[0] for game in games_of(mexica) for action in actions_of(game, bot))
        told = {line.action: line for line in of(lines, report.ActionStats) if line.bot == bot}
        assert {verb: round(line.number * 3) for verb, line in told.items()} == verbs
        assert sum(line.ap_part or 0 for line in told.values()) == pytest.approx(1, abs=1e-3)
        levels = {
            line.size: round(line.number * 3)
            for line in of(lines, report.SizeStats)
            if (line.bot, line.action) == (bot, "temple")
        }
        texts = [action for game in games_of(mexica) for action in actions_of(game, bot) if action[:6] == "temple"]
        assert levels == Counter(int(text.split(" ")[1]) for text in texts)
        cost = sum(level * number for level, number in levels.items())
        assert told["temple"].ap == pytest.approx(cost / 3, abs=1e-3)


def test_seats_lengths_and_endings(mexica: Path) -> None:
    lines, played = lines_of(mexica), games_of(mexica)
    for line in of(lines, report.SeatStats):
        points = [game.result.scores[line.seat] for game in played]
        assert (line.players, line.games) == (3, 3)
        assert line.points == pytest.approx(sum(points) / 3, abs=1e-4)
    assert sum(line.wins for line in of(lines, report.SeatStats)) == pytest.approx(1, abs=1e-3)
    (length,) = of(lines, report.LengthStats)
    actions = [game.result.actions for game in played]
    assert (length.actions_min, length.actions_max) == (min(actions), max(actions))
    assert length.turns == pytest.approx(3 * (length.rounds or 0), abs=1e-3)
    assert sum(line.games for line in of(lines, report.EndingStats)) == 3


def beginnings(game: LoggedGame) -> set[str]:
    """The first two words of every action."""
    return {" ".join(line.action.split(" ")[:2]) for _, line in game.lines if isinstance(line, ActionLine)}


def test_moctezuma(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(arena_log("--game", "moctezuma", games=6, bots=["random", "r2=random"]))
    lines, played = lines_of(path), games_of(path)
    (team,) = of(lines, report.TeamStats)
    assert (team.bots, team.games) == (["r2", "random"], 6)
    assert team.won == pytest.approx(sum(bool(game.result.won) for game in played) / 6, abs=1e-4)
    assert team.points == pytest.approx(sum(game.result.scores[0] for game in played) / 6, abs=1e-4)
    used = Counter(
        tuple(line.action.split(" ")[:2][::-1])
        for game in played
        for _, line in game.lines
        if isinstance(line, ActionLine) and line.action.split(" ")[0] in {"play", "use", "sacrifice"}
    )
    told = {(line.card, line.action): round(line.number * 6) for line in of(lines, report.CardStats)}
    assert told == used
    for line in of(lines, report.CardStats):
        had = [game for game in played if f"{line.action} {line.card}" in beginnings(game)]
        assert line.games == len(had)
        assert line.won == pytest.approx(sum(bool(game.result.won) for game in had) / len(had), abs=1e-4)
    reasons = {line.ending for line in of(lines, report.EndingStats)}
    assert reasons <= {"won", "quetzalcoatl_destroyed", "siege_completed", "moctezuma_in_mictlan", "round_limit"}
    assert all(line.ap is None and line.ap_part is None for line in of(lines, report.ActionStats))
    assert all(line.turns is None for line in of(lines, report.BotStats))


def test_the_toy_game(toy: Path) -> None:
    lines = lines_of(toy)
    head = lines[0]
    assert isinstance(head, report.StatsHead)
    assert (head.games, head.void) == (6, 1)
    forfeits = {line.bot: line.forfeits for line in of(lines, report.BotStats)}
    assert forfeits == {"ann": 1, "bob": 1, "cyd": 2, "dan": 1}
    rejects = {line.bot: line.rejects for line in of(lines, report.BotStats)}
    assert rejects == {"ann": 1, "bob": 2, "cyd": 3, "dan": 0}
    assert [(line.outcome, line.games) for line in of(lines, report.EndingStats)] == [("finished", 3), ("forfeit", 3)]


def test_the_best_come_first(toy: Path) -> None:
    wins = [line.wins for line in of(lines_of(toy), report.BotStats)]
    assert wins == sorted(wins, reverse=True)


def test_what_teams_win(tmp_path: Path, nim: Game) -> None:
    path = tmp_path / "team.jsonl"
    path.write_bytes(encode(team_log()))
    lines = lines_of(path)
    results = [game.result for game in games_of(path) if game.result.outcome != "void"]
    assert sum(line.won * line.games for line in of(lines, report.TeamStats)) == pytest.approx(
        sum(bool(result.won) for result in results), abs=1e-3
    )
    assert all(line.team_won is not None for line in of(lines, report.BotStats))


def test_no_games_at_all(toy: Path) -> None:
    toy.write_bytes(toy.read_bytes().splitlines(keepends=True)[0])
    assert lines_of(toy) == [report.StatsHead(games=0, void=0, actions=0)]


def test_lines_come_in_their_order(mexica: Path) -> None:
    kinds = [report.LINES.index(type(line)) for line in lines_of(mexica)]
    assert kinds == sorted(kinds)


def test_spread() -> None:
    spread = Spread()
    assert spread.mean is None
    for value in (3, None, 1, 5):
        spread.add(value)
    assert [spread.mean, spread.least, spread.most, spread.number] == [3, 1, 5, 3]
