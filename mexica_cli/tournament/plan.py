"""What a tournament comes to so far: its summary for the reports, and how many games it will have."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from mexica_cli.record.lines import Header
from mexica_cli.tournament.config import Tournament
from mexica_cli.tournament.directory import Played
from mexica_cli.tournament.knockout import Knockout
from mexica_cli.tournament.results import Results, Unplayed
from mexica_cli.tournament.runner import Ledger
from mexica_cli.tournament.summary import Log, Order, Settings, SprtMatch, Summary, summarise
from mexica_cli.tournament.swiss import Swiss, SwissRow

WORDS = {
    "round-robin": "round robin",
    "gauntlet": "gauntlet",
    "swiss": "Swiss",
    "knockout": "knockout",
    "teams": "teams",
    "mixed-teams": "mixed teams",
}


def planned_games(tournament: Tournament) -> int | None:
    """How many games the whole schedule has; None where that depends on results."""
    if tournament.sprt is not None or isinstance(tournament.format, Swiss | Knockout):
        return None
    blocks = tournament.format.round(0, Results([])) or []
    games = (seating for block in blocks for seating in block.seatings)
    return sum(1 for _ in islice(games, tournament.file.games))


def summary_of(tournament: Tournament, log: str, title: str, header: Header, played: Sequence[Played]) -> Summary:
    """The summary of what the log of that name holds."""
    ledger = Ledger(tournament, played)
    settings = Settings(
        title=title,
        format=WORDS[tournament.file.format],
        planned=planned_games(tournament),
        order=_order(tournament),
        sprt=None if tournament.sprt is None else SprtMatch(tournament.sprt, *tournament.entrants),
        withdrawn=ledger.withdrawn,
        swiss=tuple(_swiss_rows(tournament, ledger)),
        knockout=tuple(tournament.format.matches(ledger.results()) if isinstance(tournament.format, Knockout) else ()),
    )
    return summarise([Log(log, header, [(game.seats, game.result) for game in played])], settings)


def _order(tournament: Tournament) -> Order:
    match tournament.file.format:
        case "swiss" | "knockout":
            return Order.TABLE
        case "gauntlet":
            return Order.RATING
        case _:
            return Order.WINS


def _swiss_rows(tournament: Tournament, ledger: Ledger) -> Sequence[SwissRow]:
    """The table after the last round that is over."""
    rows: Sequence[SwissRow] = ()
    if isinstance(tournament.format, Swiss):
        with suppress(Unplayed):
            for rounds in range(1, (tournament.file.rounds or 0) + 1):
                rows = tournament.format.table(rounds, ledger.results())
    return rows
