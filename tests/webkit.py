"""A server's hall for tests of the page for spectators: the test itself plays the matches, action by action."""

from __future__ import annotations

from pagekit import SEATS, EagerMatch

from mexica_cli.games import load_game
from mexica_cli.games.game import Game, State
from mexica_cli.record.lines import ActionLine, ResultLine
from mexica_cli.server.broadcast import Broadcast, Stage
from mexica_cli.wire.handshake import Refused
from mexica_cli.wire.lobby import Standing, TableInfo
from mexica_cli.wire.messages import Event, Result


class LiveMatch:
    """A match that is played while it is watched."""

    def __init__(self, stage: Stage, game: Game, players: int, match: str) -> None:
        self.played = EagerMatch(game, match, SEATS[:players])
        self.broadcast = Broadcast("arena", match, game, SEATS[:players], reveal=False)
        self._stage = stage
        stage.open(self.broadcast)
        self.broadcast.begin(self)

    @property
    def state(self) -> State:
        """See `Match.state`."""
        return self.played.state

    @property
    def actions(self) -> int:
        """See `Match.actions`."""
        return sum(isinstance(line, ActionLine) for line in self.played.lines)

    def go_on(self, actions: int) -> None:
        """Play so many actions more."""
        for _ in range(actions):
            state = self.played.state
            self.played.play(1)
            line = self.played.lines[-1]
            assert isinstance(line, ActionLine)
            action = state.parse(line.action)
            self.broadcast.show(
                Event(
                    match=line.match,
                    n=line.n,
                    seat=line.seat,
                    action=state.shown_text(action, line.seat, None),
                    followed=[state.shown(entry, None) for entry in line.followed],
                )
            )

    def finish(self) -> None:
        """Play it to its end."""
        while self.state.to_act is not None:
            self.go_on(1)
        result = self.played.result()[-1]
        assert isinstance(result, ResultLine)
        self.broadcast.show(
            Result(
                match=result.match,
                outcome="finished",
                ranking=result.ranking,
                scores=result.scores,
                reasons=result.reasons,
                won=result.won,
            )
        )
        self._stage.close(self.broadcast)


class Hall:
    """One table that may be watched, `arena`, and one that may not, `closed`."""

    def __init__(self) -> None:
        self.arena = Stage()
        self.rating = 1500.0

    def begin(self, game: str, players: int, match: str = "1-1") -> LiveMatch:
        """A match begins at the table."""
        return LiveMatch(self.arena, load_game(game), players, match)

    def list_tables(self) -> list[TableInfo]:
        """See `Lobby.list_tables`."""
        running = list(self.arena.running)
        return [
            TableInfo(
                name="arena",
                kind="ladder",
                game="mexica",
                rules="official",
                players=2,
                state="playing" if running else "waiting",
                here=["ann", "<b>ob"],
                running=running,
                played=3,
            ),
            TableInfo(
                name="closed",
                kind="matches",
                game="moctezuma",
                rules="official",
                players=3,
                state="over",
                matches=5,
                played=5,
                spectators=False,
            ),
        ]

    def standings(self, table: str) -> list[Standing]:
        """See `Lobby.standings`."""
        if table == "closed":
            return []
        return [
            Standing(bot="ann", games=9, wins=6.5, forfeits=0, rating=self.rating, here=True),
            Standing(bot="<b>ob", games=9, wins=2.5, forfeits=1, rating=1438.2, benched_s=60.0),
        ]

    def stage(self, table: str) -> Stage:
        """See `Lobby.stage`."""
        if table != "arena":
            raise Refused("no_table", f"there is no table {table!r}; there is arena")
        return self.arena
