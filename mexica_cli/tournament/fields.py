"""The file of a tournament: who plays what, how, and how often.

    format = "round-robin"
    games = 2000
    seed = 7
    move_time = "1s"

    [[bots]]
    name = "greedy"
    command = "greedy"

    [[bots]]
    name = "mine"
    command = "node my.js"
    memory_mb = 512

Commands are run in the current folder, and paths start there; `mexica tournament` goes to the file's folder first.
`docs/TOURNAMENTS.md` has every field.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from mexica_cli.tournament.blocks import Seatings
from mexica_cli.tournament.sprt import EloModel

Count = Annotated[int, Meta(ge=1, le=10_000_000)]
Time = Annotated[str, Meta(description='a time in quotes, like "2s" or "500ms"')]
EloBound = Annotated[float, Meta(ge=-10_000, le=10_000)]


class BotEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A `[[bots]]` table."""

    command: str
    """As on the command line of `mexica match`: a reference bot, a path, a command line."""
    name: str | None = None
    """What it is called in log and tables; else it follows from the command."""
    memory_mb: Annotated[int, Meta(ge=0, le=1 << 20)] | None = None
    """Memory of this bot with all its children, in MiB; 0: any."""
    startup: Time | None = None
    """Time for this bot to start and join."""
    restart_after: Count | None = None
    """After so many games it is started anew."""
    sandbox: bool | None = None
    """Whether it runs in a sandbox; else as the others."""


class VariantEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A `[[variants]]` table: another rule set or board. What it leaves out is as at the top of the file."""

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    """What it is called in the log."""
    rules: str | None = None
    """Name of a shipped rule set, or the path of a TOML file."""
    board: str | None = None
    """Name of a shipped board, or the path of a text file."""
    options: dict[str, Any] | None = None
    """Single fields of the rule set."""


class SprtEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The `[sprt]` table: stop a match of two bots as soon as it has shown enough."""

    elo0: EloBound
    """H0: the first bot is this much better than the second."""
    elo1: EloBound
    """H1: it is this much better."""
    alpha: float = 0.05
    """Greatest probability of rejecting a true H0."""
    beta: float = 0.05
    """Greatest probability of rejecting a true H1."""
    model: EloModel = EloModel.NORMALISED
    """What the Elo is that the hypotheses are given in."""


class TournamentFile(msgspec.Struct, frozen=True, kw_only=True):
    """The whole file. Times are texts like `2`, `500ms`, `1m`."""

    seed: Annotated[int, Meta(ge=0, le=(1 << 53) - 1)]
    """The master seed, from which all chance follows."""
    format: Literal["round-robin", "gauntlet", "swiss", "knockout", "teams", "mixed-teams"] = "round-robin"
    """Who meets whom. With three or four seats, `round-robin` is a league."""
    game: str = "mexica"
    """What is played."""
    rules: str = "official"
    """Name of a shipped rule set, or the path of a TOML file."""
    board: str | None = None
    """Name of a shipped board, or the path of a text file."""
    options: dict[str, Any] = {}
    """Single fields of the rule set."""
    variants: list[VariantEntry] = []
    """Other rule sets and boards. The deals of the same bots take turns at them, the first under the file's own."""
    seats: Annotated[int, Meta(ge=1, le=5)] = 2
    """Seats of a game."""
    seatings: Seatings = Seatings.ROTATED
    """In which seatings each deal is played."""
    games: Count | None = None
    """Games in all; formats with rounds have `rounds` and `blocks` instead."""
    challengers: list[str] = []
    """Names of those who play a gauntlet; else the first bot does."""
    rounds: Count | None = None
    """Rounds of a Swiss tournament."""
    blocks: Count = 1
    """Deals of one match of a Swiss tournament or knockout."""
    time: Annotated[str, Meta(description='bank and increment in quotes, like "60+0.5"')] | None = None
    """Bank and increment: `60+0.5`."""
    move_time: Time | None = None
    """Time for each turn."""
    illegal: Count = 3
    """The illegal action of a game that forfeits it."""
    messages: Count = 100
    """Messages that a bot may send for one turn."""
    startup: Time = "10s"
    """Time to start and join."""
    ready: Time = "10s"
    """Time to get ready for a game."""
    quit: Time = "2s"
    """Time to leave when told to, before it is made to."""
    memory_mb: Annotated[int, Meta(ge=0, le=1 << 20)] = 2048
    """Memory of a bot with all its children, in MiB; 0: any."""
    sandbox: bool = False
    """Run every bot in a sandbox, unless its own table says otherwise."""
    withdraw_after: Count = 5
    """After so many games in a row that it forfeited, but for illegal actions, a bot is out."""
    sprt: SprtEntry | None = None
    """A sequential test of two bots."""
    bots: Annotated[list[BotEntry], Meta(min_length=1, max_length=999, description="a [[bots]] table for every bot")]
    """Who plays. The order is that of the seeding of a Swiss tournament or knockout."""


OWN_FIELDS = {
    "games": ("round-robin", "gauntlet", "teams", "mixed-teams"),
    "seatings": ("round-robin", "gauntlet"),
    "challengers": ("gauntlet",),
    "rounds": ("swiss",),
    "blocks": ("swiss", "knockout"),
    "sprt": ("round-robin",),
}
"""Fields that not every format has, and the formats that do."""
