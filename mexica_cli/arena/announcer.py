"""Tells the seats of a match, and those who watch it, what happens: to each what it may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from mexica_cli.arena.audience import Audience
from mexica_cli.arena.seat import Seat
from mexica_cli.games.game import Game, State
from mexica_cli.wire.framing import encode
from mexica_cli.wire.messages import Event, Result, Said


class Announcer:
    """Keeps lines for the seats that want events; they go out with the next request, or when they are delivered."""

    def __init__(self, game: Game, state: State, seats: Sequence[Seat], audience: Audience | None) -> None:
        self._open = game.open_information
        self._state = state
        self._seats = seats
        self._audience = audience

    def action(self, event: Event, action: int) -> None:
        """An action was done."""
        if self._open:
            self.tell(event)
            return
        for seat in self._listeners():
            seat.keep(encode(self._as_seen(event, action, seat.number)))
        if self._audience is not None and self._audience.watched:
            self._audience.show(event if self._audience.reveal else self._as_seen(event, action, None))

    def tell(self, message: Event | Said, but: Seat | None = None) -> None:
        """Tell everybody who wants events, `but` for one, what all may know."""
        line = None
        for seat in self._listeners():
            if seat is not but:
                line = line or encode(message)
                seat.keep(line)
        if self._audience is not None and self._audience.watched:
            self._audience.show(message)

    def result(self, result: Result) -> None:
        """The match is over: tell all who can still be reached, at once."""
        line = encode(result)
        for seat in self._seats:
            if seat.present:
                seat.keep(line)
                seat.deliver()
        if self._audience is not None and self._audience.watched:
            self._audience.show(result)

    def _listeners(self) -> Iterator[Seat]:
        return (seat for seat in self._seats if seat.wants_events and seat.present)

    def _as_seen(self, event: Event, action: int, seat: int | None) -> Event:
        """The event as that seat may see it; None: a spectator."""
        return msgspec.structs.replace(
            event,
            action=self._state.shown_text(action, event.seat, seat),
            followed=[self._state.shown(entry, seat) for entry in event.followed],
        )
