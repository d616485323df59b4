"""The page for spectators without a network: who asks for what gets what, and nobody holds up a match."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import msgspec
import pytest
import trio
import trio.testing
from pagekit import changed
from webkit import Hall, LiveMatch

pytest.importorskip("hypercorn", reason="the extra `web` isn't installed")

from hypercorn.typing import ASGIReceiveEvent, ASGISendEvent, Scope

from mexica_cli.web import app as web
from mexica_cli.web import relay
from mexica_cli.web.app import EVERY, FORBIDDEN, NO_SUCH, PATIENCE, TOO_SLOW, App
from mexica_cli.wire.messages import Event, Said

HOST = b"127.0.0.1:8080"


class Viewer:
    """A browser's WebSocket. While it is `stuck`, it takes nothing."""

    def __init__(self, path: str, query: str = "", origin: bytes | None = b"http://" + HOST) -> None:
        headers = [(b"host", HOST)] + ([(b"origin", origin)] if origin else [])
        self.scope = {"type": "websocket", "path": path, "query_string": query.encode(), "headers": headers}
        self.accepted = False
        self.closed: int | None = None
        self.seen: list[dict[str, Any]] = []
        self.stuck = trio.Event()
        self.stuck.set()
        self._left = trio.Event()
        self._connected = False

    def leave(self) -> None:
        self._left.set()

    async def receive(self) -> ASGIReceiveEvent:
        if not self._connected:
            self._connected = True
            return {"type": "websocket.connect"}
        await self._left.wait()
        return {"type": "websocket.disconnect", "code": 1001}

    async def send(self, event: ASGISendEvent) -> None:
        await trio.lowlevel.checkpoint()
        if event["type"] == "websocket.accept":
            self.accepted = True
        elif event["type"] == "websocket.close":
            self.closed = event["code"]
        elif event["type"] == "websocket.send":
            await self.stuck.wait()
            self.seen.append(json.loads(event["text"] or ""))

    @property
    def states(self) -> list[dict[str, Any]]:
        """The states that it was led through since the last `start`."""
        begun = max(place for place, message in enumerate(self.seen) if message["type"] == "start")
        found = [self.seen[begun]["state"]]
        for message in self.seen[begun + 1 :]:
            if message["type"] == "step":
                found.append(changed(found[-1], message["change"]) if message["change"] is not None else found[-1])
        return found


class House:
    """The application, its hall, and viewers that come in."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.hall = Hall()
        self.app = App(self.hall, nursery)
        self._nursery = nursery

    async def open(self, path: str, query: str = "", origin: bytes | None = b"http://" + HOST) -> Viewer:
        viewer = Viewer(path, query, origin)
        self._nursery.start_soon(self.app, cast(Scope, viewer.scope), viewer.receive, viewer.send)
        await settled()
        return viewer


async def settled() -> None:
    await trio.testing.wait_all_tasks_blocked()


@asynccontextmanager
async def _house() -> AsyncIterator[House]:
    async with trio.open_nursery() as nursery:
        yield House(nursery)
        nursery.cancel_scope.cancel()


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with _house() as made:
        yield made


def shown(match: LiveMatch) -> dict[str, Any]:
    """The state of a match as every spectator may see it."""
    state: dict[str, Any] = msgspec.to_builtins(match.state.observation(None))
    state.pop("position", None)
    return state


async def get(house: House, path: str, method: str = "GET") -> tuple[int, dict[bytes, bytes], bytes]:
    sent: list[Any] = []

    async def receive() -> ASGIReceiveEvent:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(event: ASGISendEvent) -> None:
        sent.append(event)

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": []}
    await house.app(cast(Scope, scope), receive, send)
    start, body = sent
    return start["status"], dict(start["headers"]), body["body"]


async def test_the_page(house: House) -> None:
    status, headers, body = await get(house, "/")
    assert status == 200
    assert headers[b"content-type"] == b"text/html; charset=utf-8"
    assert int(headers[b"content-length"]) == len(body)
    assert b"default-src 'none'" in body
    assert b"connect-src 'self'" in body
    assert (await get(house, "/etc/passwd"))[0] == 404
    assert (await get(house, "/", "POST"))[0] == 405


async def test_the_lobby_is_told_when_it_changes_and_only_then(
    house: House, autojump_clock: trio.testing.MockClock
) -> None:
    viewer = await house.open("/live/lobby")
    assert [table["name"] for table in viewer.seen[0]["tables"]] == ["arena", "closed"]
    assert [row["bot"] for row in viewer.seen[0]["standings"]["arena"]] == ["ann", "<b>ob"]
    await trio.sleep(5 * EVERY)
    assert len(viewer.seen) == 1
    house.hall.rating = 1510.0
    await trio.sleep(2 * EVERY)
    assert viewer.seen[1]["standings"]["arena"][0]["rating"] == 1510.0


async def test_a_match_is_shown_as_it_is_played(house: House) -> None:
    viewer = await house.open("/live/table/arena")
    assert viewer.seen == []
    match = house.hall.begin("mexica", 2)
    await settled()
    match.go_on(40)
    await settled()
    assert [message["type"] for message in viewer.seen] == ["start"] + ["step"] * 40
    last = viewer.states[-1]
    assert {key: last[key] for key in shown(match)} == shown(match)
    match.finish()
    await settled()
    assert viewer.seen[-1]["type"] == "end"
    assert viewer.seen[-1]["scores"] == match.state.scores()


async def test_who_comes_later_can_step_back_to_where_the_first_came_in(house: House) -> None:
    match = house.hall.begin("mexica", 2)
    match.go_on(10)
    first = await house.open("/live/table/arena")
    match.go_on(10)
    await settled()
    second = await house.open("/live/table/arena")
    assert second.seen == first.seen
    assert second.seen[0]["n"] == 10
    assert len(second.states) == 11
    assert {key: second.states[-1][key] for key in shown(match)} == shown(match)


async def test_one_match_follows_the_other(house: House) -> None:
    first = house.hall.begin("moctezuma", 1, "1-1")
    viewer = await house.open("/live/table/arena")
    alone = await house.open("/live/table/arena", "match=1-1")
    first.finish()
    await settled()
    assert alone.closed == 1000
    house.hall.begin("moctezuma", 1, "2-1")
    await settled()
    assert [message["match"] for message in viewer.seen if message["type"] == "start"] == ["1-1", "2-1"]
    assert viewer.closed is None


async def test_nothing_hidden_is_told(house: House) -> None:
    viewer = await house.open("/live/table/arena")
    match = house.hall.begin("moctezuma", 3)
    await settled()
    match.finish()
    await settled()
    assert "own" not in viewer.states[0]
    steps = [message for message in viewer.seen if message["type"] == "step"]
    plays = [step for step in steps if step["words"].startswith("plays")]
    assert plays
    assert {step["text"] for step in plays} == {"play ?"}
    assert not any("others" in step for step in steps)
    assert all(state["hand"] is None and state["chosen"] is None for state in viewer.states)


async def test_a_match_too_fast_for_the_event_loop_begins_anew(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "BUFFER", 16)
    viewer = await house.open("/live/table/arena")
    match = house.hall.begin("mexica", 2)
    await settled()
    match.go_on(60)
    await settled()
    match.go_on(1)
    await settled()
    starts = [message.get("n", 0) for message in viewer.seen if message["type"] == "start"]
    assert starts == [0, 60]
    assert viewer.seen[-1]["n"] == 61
    assert {key: viewer.states[-1][key] for key in shown(match)} == shown(match)


async def test_forfeits_and_talk_are_told(house: House) -> None:
    match = house.hall.begin("moctezuma", 2)
    viewer = await house.open("/live/table/arena")
    match.go_on(1)
    forfeit = {"what": "forfeit", "seat": 1, "kind": "timeout", "reason": "no answer\nin time"}
    match.broadcast.show(Event(match="1-1", n=1, seat=1, followed=[forfeit]))
    match.broadcast.show(Said(match="1-1", seat=0, text="two priests"))
    await settled()
    assert viewer.seen[2:] == [
        {"type": "aside", "n": 1, "kind": "fault", "seat": 1, "words": "forfeits, timeout: no answer�in time"},
        {"type": "aside", "n": 1, "kind": "say", "seat": 0, "words": "says: two priests"},
    ]


async def test_a_slow_viewer_is_dropped_and_holds_up_nobody(
    house: House, autojump_clock: trio.testing.MockClock
) -> None:
    match = house.hall.begin("mexica", 2)
    slow, quick = await house.open("/live/table/arena"), await house.open("/live/table/arena")
    slow.stuck = trio.Event()
    match.go_on(60)
    await settled()
    assert len(quick.seen) > len(slow.seen)
    assert quick.seen[-1]["n"] == match.actions
    await trio.sleep(PATIENCE + 1)
    assert (slow.closed, quick.closed) == (TOO_SLOW, None)
    match.go_on(1)
    await settled()
    assert quick.seen[-1]["n"] == match.actions


@pytest.mark.parametrize("path", ["/live/table/nowhere", "/live/table/", "/live", "/"])
async def test_what_is_not_there_is_refused_with_the_reason(house: House, path: str) -> None:
    viewer = await house.open(path)
    assert [message["type"] for message in viewer.seen] == ["error"]
    assert viewer.closed == NO_SUCH


async def test_no_page_from_elsewhere_may_ask(house: House) -> None:
    stranger = await house.open("/live/lobby", origin=b"http://evil.example")
    assert (stranger.accepted, stranger.closed) == (False, FORBIDDEN)
    program = await house.open("/live/lobby", origin=None)
    assert program.accepted


async def test_only_so_many_may_watch(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "VIEWERS", 2)
    first, second = await house.open("/live/lobby"), await house.open("/live/lobby")
    assert (await house.open("/live/lobby")).closed == FORBIDDEN
    first.leave()
    await settled()
    assert (await house.open("/live/lobby")).accepted
    assert second.closed is None


async def test_a_match_that_nobody_watches_any_more_is_no_concern(house: House) -> None:
    match = house.hall.begin("mexica", 2)
    viewer = await house.open("/live/table/arena")
    viewer.leave()
    await settled()
    match.finish()
    await settled()
    again = await house.open("/live/table/arena")
    assert again.seen == []
