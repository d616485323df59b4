"""`mexica engine` without its loop: one request line in, one reply line out. The rules as a service.

The requests below are its whole language; `protocol/ENGINE.md` explains it. An `Engine` holds one game at a time and
never raises: whatever is wrong with a request is told in the reply, and a request that fails changes nothing, but that
the actions before an illegal one stand.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from mexica_cli.games import game_of_position, load_game
from mexica_cli.games.game import BadAction, Game, JsonDict, RuleError, State
from mexica_cli.games.perft import MoveCounter, OverBudget
from mexica_cli.games.tomlfile import sentence

LINE_BYTES = 1 << 20
"""The longest request, line feed included."""

PERFT_BUDGET = 100_000
SEED_LIMIT = 1 << 64


class Request(msgspec.Struct, frozen=True, kw_only=True, tag_field="cmd", tag=str.lower):
    """Common shape of all requests; `id` is taken from the line apart."""


class New(Request, frozen=True, kw_only=True):
    """Start a game: with `seed` the set-up is drawn, with `setup` it is given."""

    game: str
    rules: str = "official"
    board: str | None = None
    options: dict[str, str] = {}
    players: Annotated[int, Meta(ge=1)]
    seed: Annotated[int, Meta(ge=0)] | None = None
    setup: JsonDict | None = None


class Legal(Request, frozen=True):
    """List the legal actions."""


class Apply(Request, frozen=True):
    """Do actions in order, up to the first that is illegal."""

    actions: list[str]


class Show(Request, frozen=True, tag="state", kw_only=True):
    """Print the state: all of it that a seat may see, or, with null, a spectator."""

    seat: Annotated[int, Meta(ge=0)] | None = None


class Position(Request, frozen=True):
    """Print the position, or set it, which forgets what could be undone."""

    position: str | None = None


class Undo(Request, frozen=True):
    """Take back actions, the latest first."""

    steps: Annotated[int, Meta(ge=1)] = 1


class Perft(Request, frozen=True):
    """Count the sequences of exactly `depth` legal actions."""

    depth: Annotated[int, Meta(ge=0, le=100)]
    divide: bool = False
    """Also count by first action."""
    budget: Annotated[int, Meta(ge=1)] = PERFT_BUDGET
    """Positions to look at before giving up."""


class Digest(Request, frozen=True):
    """Print the digest of the position."""


AnyRequest = New | Legal | Apply | Show | Position | Undo | Perft | Digest

EXAMPLES = {
    "new": '{"cmd":"new","game":"mexica","rules":"official","players":3,"seed":7}',
    "legal": '{"cmd":"legal"}',
    "apply": '{"cmd":"apply","actions":["end"]}',
    "state": '{"cmd":"state"}',
    "position": '{"cmd":"position"} or, to set it, {"cmd":"position","position":"…"}',
    "undo": '{"cmd":"undo","steps":1}',
    "perft": '{"cmd":"perft","depth":2}',
    "digest": '{"cmd":"digest"}',
}
"""A right request of each kind, for error messages."""


class Refusal(Exception):
    """A request that can't be done: what goes into the reply beside `ok` and `id`."""

    def __init__(self, code: str, reason: str, **fields: Any) -> None:
        super().__init__(reason)
        self.reply: JsonDict = {"code": code, "reason": reason, **fields}


class Envelope(msgspec.Struct, frozen=True):
    """What is read of a request before it is known to be a right one."""

    id: Raw = Raw()
    """As it was written, so that it comes back to the letter; empty where there was none."""
    cmd: Any = None


_envelope = msgspec.json.Decoder(Envelope)
_request = msgspec.json.Decoder(AnyRequest)


class Engine:
    """The game under way, and what it takes to go back in it."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._state: State | None = None
        self._past: list[State] = []

    def handle(self, line: bytes) -> bytes:
        """The reply to a request line, line feed included; nothing to a blank line."""
        if not line.strip():
            return b""
        envelope = Envelope()
        try:
            envelope = _open(line)
            reply = {"ok": True, **self._do(_read(line, envelope))}
        except Refusal as refusal:
            reply = {"ok": False, **refusal.reply}
        except (RuleError, OSError) as error:
            # An OSError: the file that `rules` or `board` names can't be looked at.
            reply = {"ok": False, "code": "rules", "reason": sentence(error)}
        except RecursionError:
            reply = {"ok": False, "code": "json", "reason": "nested too deeply"}
        except Exception as error:
            # A mistake of ours must not take the other end's session down.
            reply = {"ok": False, "code": "internal", "reason": f"a fault of the engine, please report: {error!r}"}
        if bytes(envelope.id):
            reply = {"id": envelope.id, **reply}
        return msgspec.json.encode(reply) + b"\n"

    def _do(self, request: AnyRequest) -> JsonDict:
        match request:
            case New():
                return self._new(request)
            case Apply():
                return self._apply(request.actions)
            case Position(position=str(text)):
                return self._set(text)
            case Undo():
                return self._undo(request.steps)
            case Perft():
                return _perft(self._current(), request)
            case Legal():
                return self._legal()
            case Show():
                return self._shown(self._seat(request.seat))
            case Digest():
                return {"digest": self._current().digest()}
            case Position():
                return {"position": self._current().position()}

    def _current(self) -> State:
        if self._state is None:
            raise Refusal("no_game", f"there is no game yet: start one with {EXAMPLES['new']}")
        return self._state

    def _shown(self, seat: int | None = None) -> JsonDict:
        state = self._current()
        return {"to_act": state.to_act, "state": state.observation(seat)}

    def _seat(self, seat: int | None) -> int | None:
        players = self._current().players
        if seat is not None and seat >= players:
            raise Refusal("request", f"there is no seat {seat}; the seats are 0 to {players - 1}")
        return seat

    def _new(self, request: New) -> JsonDict:
        game = load_game(request.game, request.rules, request.board, request.options)
        _check_players(game, request.players)
        setup = _setup(game, request)
        self._state = game.start(request.players, setup)
        self._game, self._past = game, []
        return {"game": game.name, "rules": game.rules, "players": request.players, "setup": setup, **self._shown()}

    def _legal(self) -> JsonDict:
        state = self._current()
        return {"to_act": state.to_act, "actions": _texts(state)}

    def _apply(self, actions: list[str]) -> JsonDict:
        followed: list[list[JsonDict]] = []
        for index, text in enumerate(actions):
            try:
                followed.append(self._step(text))
            except BadAction as error:
                stands = {"followed": followed, **self._shown()}
                raise Refusal(error.code, error.reason, index=index, **stands) from None
        return {"followed": followed, **self._shown()}

    def _step(self, text: str) -> list[JsonDict]:
        before = self._current()
        action = before.parse(text)
        if problem := before.why_illegal(action):
            raise BadAction(problem.code, problem.reason)
        # The step is made on a copy, which also leaves the position whole should it fail half-way.
        after = before.copy()
        followed = after.apply(action)
        self._past.append(before)
        self._state = after
        return followed

    def _set(self, text: str) -> JsonDict:
        game = self._game or game_of_position(text)
        self._state = game.from_position(text)
        self._game, self._past = game, []
        return {"position": self._state.position(), **self._shown()}

    def _undo(self, steps: int) -> JsonDict:
        self._current()
        if steps > (done := len(self._past)):
            raise Refusal("undo", f"`steps` may be at most {done} here" if done else "there is nothing to undo here")
        self._state = self._past[-steps]
        del self._past[-steps:]
        return self._shown()


# ---- requests ------------------------------------------------------------------------------------


def _open(line: bytes) -> Envelope:
    """The request's `id` and `cmd`."""
    if len(line) > LINE_BYTES:
        raise Refusal("oversize", f"a request has at most {LINE_BYTES} bytes, line feed included")
    try:
        line.decode()
        return _envelope.decode(line)
    except UnicodeDecodeError as error:
        raise Refusal("json", f"not UTF-8: byte {error.start} of the line") from None
    except msgspec.ValidationError:
        raise Refusal("json", f"a request is a JSON object, for example {EXAMPLES['legal']}") from None
    except msgspec.DecodeError as error:
        raise Refusal("json", f"not one line of JSON: {error}") from None


def _read(line: bytes, envelope: Envelope) -> AnyRequest:
    if not isinstance(envelope.cmd, str) or envelope.cmd not in EXAMPLES:
        raise Refusal("unknown_cmd", f"`cmd` must be one of {', '.join(sorted(EXAMPLES))}")
    try:
        return _request.decode(line)
    except msgspec.DecodeError as error:
        raise Refusal("request", f"{error}; right would be {EXAMPLES[envelope.cmd]}") from None


def _check_players(game: Game, players: int) -> None:
    least, most = game.seats
    if not least <= players <= most:
        raise Refusal("request", f"`players` must be from {least} to {most} in {game.name}, not {players}")


def _setup(game: Game, request: New) -> JsonDict:
    if request.setup is not None and request.seed is None:
        return request.setup
    if request.seed is None or request.setup is not None:
        raise Refusal(
            "request", "`new` takes either `seed` or `setup`: a number to draw the set-up from, or the set-up itself"
        )
    if request.seed >= SEED_LIMIT:
        raise Refusal("request", f"`seed` must be less than {SEED_LIMIT}")
    return game.deal(request.players, request.seed)


# ---- answers -------------------------------------------------------------------------------------


def _texts(state: State) -> list[str]:
    return sorted(state.text(action) for action in state.legal_actions())


def _perft(state: State, request: Perft) -> JsonDict:
    counter = MoveCounter(request.budget)
    try:
        if not request.divide or request.depth == 0:
            return {"count": counter.count(state, request.depth)}
        divided = counter.divide(state, request.depth)
    except OverBudget:
        reason = f"more than {request.budget} positions to look at: ask for less `depth` or a larger `budget`"
        raise Refusal("budget", reason) from None
    return {"count": sum(divided.values()), "divide": divided}
