"""Bots inside the arena with one fault each: each fails the check that looks for it."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from mexica_cli.arena.inprocess import Respond
from mexica_cli.arena.spec import BotSpec, Inside

Message = dict[str, Any]


class Player:
    """A good bot, which plays any game by the list of legal actions."""

    want: Any = ("legal",)

    def __init__(self) -> None:
        self.asked: Message = {}
        self.seat = 0

    def __call__(self, line: bytes) -> list[bytes]:
        """Hear a line; what is said to it."""
        return [json.dumps(answer).encode() + b"\n" for answer in self.hear(json.loads(line))]

    def hear(self, message: Message) -> list[Message]:
        """Answer a message."""
        return getattr(self, message["type"].replace("-", "_"), self.other)(message)

    def other(self, message: Message) -> list[Message]:
        """Everything that there is no method for."""
        return []

    def hello(self, message: Message) -> list[Message]:
        return [{"type": "join", "protocol": 1, "name": "player", "want": self.want}]

    def start(self, message: Message) -> list[Message]:
        self.seat = message["seat"]
        return [{"type": "ready", "match": message["match"]}]

    def turn(self, message: Message) -> list[Message]:
        self.asked = message
        return self.play(self.choose())

    def choose(self) -> list[str]:
        return [self.asked["legal"][0]]

    def play(self, actions: list[str]) -> list[Message]:
        return [{"type": "play", "id": self.asked["id"], "actions": actions}]

    def reject(self, message: Message) -> list[Message]:
        if message["code"] == "turn_over" or not message["strikes_left"]:
            return []
        return self.play([self.asked["legal"][-1]])

    def ping(self, message: Message) -> list[Message]:
        return [{"type": "pong", "id": message["id"]}]


def player(kind: type[Player]) -> BotSpec:
    """The bot, to be made anew for every connection."""

    def make() -> Respond:
        return kind()

    return BotSpec(name=kind.__name__, text=kind.__name__, launch=Inside(make), sha256="")


class Listener(Player):
    """A good bot that writes down what it hears; for one connection at a time."""

    want = ("legal", "events")
    heard: list[Message]

    def hear(self, message: Message) -> list[Message]:
        if message["type"] == "hello":
            type(self).heard = []
        self.heard.append(message)
        return super().hear(message)

    @classmethod
    def told(cls, kind: str) -> list[Message]:
        """The messages of a type that the latest of them has heard."""
        return [message for message in cls.heard if message["type"] == kind]


# ---- joining ---------------------------------------------------------------------------------------------------------


class Chess(Player):
    def hello(self, message: Message) -> list[Message]:
        return [{"type": "join", "protocol": 1, "name": "chess", "games": ["chess"]}]


class Newest(Player):
    def hello(self, message: Message) -> list[Message]:
        return [{"type": "join", "protocol": max(message["protocol"]), "name": "newest", "want": ["legal"]}]


class Elsewhere(Player):
    def start(self, message: Message) -> list[Message]:
        return [{"type": "ready", "match": "0-0"}]


class Undemanding(Player):
    """Wants nothing, and passes its turn in a game where that is always legal."""

    want = ()

    def choose(self) -> list[str]:
        return ["end"]


class Spoiled(Player):
    """Uses what it hasn't asked for."""

    def choose(self) -> list[str]:
        return [self.asked["legal"][self.asked["state"]["pile"] * 0]]


# ---- playing ---------------------------------------------------------------------------------------------------------


class Silent(Player):
    def turn(self, message: Message) -> list[Message]:
        return []


class Illegal(Player):
    """Plays nonsense in its fourth answer."""

    def turn(self, message: Message) -> list[Message]:
        self.asked = message
        return self.play(["xyzzy"] if message["id"] == 4 else self.choose())


class Overlong(Player):
    """Goes on when its turn is over."""

    def choose(self) -> list[str]:
        return ["end", "end"]


class ThreeSeats(Player):
    """Has no place for a fourth seat."""

    def start(self, message: Message) -> list[Message]:
        [0, 1, 2][message["seat"]]
        return super().start(message)


class FirstSeat(Player):
    """Thinks that it always begins."""

    def start(self, message: Message) -> list[Message]:
        ["first"][message["seat"]]
        return super().start(message)


class Confused(Player):
    """Plays nonsense, once, when something has confused it."""

    def __init__(self) -> None:
        super().__init__()
        self.confused = False

    def choose(self) -> list[str]:
        confused, self.confused = self.confused, False
        return ["xyzzy"] if confused else super().choose()


class ConfusedBySeat(Confused):
    def start(self, message: Message) -> list[Message]:
        self.confused = message["seat"] == 3
        return super().start(message)


class ConfusedByMatches(Confused):
    """By a second match, whatever it is."""

    matches: list[str]

    def hello(self, message: Message) -> list[Message]:
        self.matches = []
        return super().hello(message)

    def start(self, message: Message) -> list[Message]:
        self.confused = bool(self.matches)
        self.matches.append(message["match"])
        return super().start(message)


class ConfusedByForfeit(Confused):
    want = ("legal", "events")

    def event(self, message: Message) -> list[Message]:
        self.confused |= "action" not in message
        return []


class ConfusedByReject(Confused):
    def reject(self, message: Message) -> list[Message]:
        return self.play(["xyzzy" if message["strikes_left"] == 1 else self.asked["legal"][-1]])


class ConfusedByStrangers(Confused):
    def other(self, message: Message) -> list[Message]:
        self.confused |= message["type"] == "weather" and self.asked != {}
        return []


class Voteless(Player):
    """Thinks that it is always its own turn."""

    def choose(self) -> list[str]:
        return ["end"] if "agree" in self.asked["legal"] else super().choose()


class ThirtyTwoBits(Player):
    def play(self, actions: list[str]) -> list[Message]:
        return [{"type": "play", "id": self.asked["id"] & 0x7FFFFFFF, "actions": actions}]


class Talkative(Player):
    def result(self, message: Message) -> list[Message]:
        return [{"type": "thanks"}]


class Twice(Player):
    def play(self, actions: list[str]) -> list[Message]:
        return super().play(actions) * 2


class MoveTime(Player):
    """Can't do without a time for a turn."""

    def choose(self) -> list[str]:
        self.asked["clock"]["move_ms"] / 2
        return super().choose()


class Timeless(Player):
    """Without a limit it thinks for ever."""

    def turn(self, message: Message) -> list[Message]:
        return super().turn(message) if message["clock"] else []


class Slow(Player):
    """Takes more than a quarter of the time for a turn."""

    def turn(self, message: Message) -> list[Message]:
        clock = message["clock"]
        return super().turn(message) if clock["left_ms"] > clock["move_ms"] / 4 else []


class Moody(Player):
    """Plays otherwise every time that it is started."""

    starts = count()

    def __init__(self) -> None:
        super().__init__()
        self.mood = next(self.starts)

    def choose(self) -> list[str]:
        return [self.asked["legal"][self.mood % len(self.asked["legal"])]]


# ---- rejections ------------------------------------------------------------------------------------------------------


class Deaf(Player):
    def reject(self, message: Message) -> list[Message]:
        return []


class Stubborn(Player):
    def reject(self, message: Message) -> list[Message]:
        return self.play([message["action"]]) if message["strikes_left"] else []


class Forgetful(Player):
    """After a rejection it does everything again from the beginning of its turn."""

    def choose(self) -> list[str]:
        return ["take 1", "end"] if "take 1" in self.asked["legal"] else ["end"]

    def reject(self, message: Message) -> list[Message]:
        return self.play(["take 1", "end"] if message["index"] else ["end"])


class WholeTurns(Forgetful):
    """Does it well."""

    def reject(self, message: Message) -> list[Message]:
        return self.play(["end"]) if message["strikes_left"] else []


class Insistent(Player):
    def reject(self, message: Message) -> list[Message]:
        return self.play([self.asked["legal"][-1]])


class Offended(Player):
    """Leaves when it has forfeited."""

    def reject(self, message: Message) -> list[Message]:
        if not message["strikes_left"]:
            raise SystemExit
        return super().reject(message)


# ---- oddities --------------------------------------------------------------------------------------------------------


class Strict(Player):
    """Knows every message."""

    def other(self, message: Message) -> list[Message]:
        if message["type"] not in {"welcome", "result", "bye", "event", "error"}:
            raise NotImplementedError(message["type"])
        return []


class Eventful(Player):
    """Needs an action in every event."""

    want = ("legal", "events")

    def event(self, message: Message) -> list[Message]:
        message["action"].split()
        return []


class Placed(Player):
    """Looks up its place, also where there is none."""

    def result(self, message: Message) -> list[Message]:
        message["ranking"][self.seat] - 1
        return []


class Pongless(Player):
    def ping(self, message: Message) -> list[Message]:
        return []


class Busy(Player):
    """Can't answer a ping while it is asked."""

    def ping(self, message: Message) -> list[Message]:
        return super().ping(message) if not self.asked else []


class Miscounting(Player):
    def ping(self, message: Message) -> list[Message]:
        return [{"type": "pong", "id": message["id"] + 1}]


class Nervous(Player):
    """Answers again at every error."""

    def error(self, message: Message) -> list[Message]:
        return self.play(self.choose()) if self.asked else []


class Touchy(Player):
    def error(self, message: Message) -> list[Message]:
        raise RuntimeError(message["code"])


class Deafening(Player):
    """Can't stand being talked to."""

    want = ("legal", "events")

    def said(self, message: Message) -> list[Message]:
        raise RuntimeError(message["text"])


class FixedFields(Player):
    def hear(self, message: Message) -> list[Message]:
        if len(message) > 9:
            raise TypeError("unexpected keyword argument")
        if "new_field" in message:
            raise TypeError("unexpected keyword argument")
        return super().hear(message)


class TypeFirst(Player):
    def __call__(self, line: bytes) -> list[bytes]:
        return super().__call__(line) if line.startswith(b'{"type"') else []


class Nullable(Player):
    """Takes a field that is there for one that has a value."""

    def turn(self, message: Message) -> list[Message]:
        if "state" in message:
            len(message["state"])
        return super().turn(message)


class Clocked(Player):
    """Does so with its clock."""

    def turn(self, message: Message) -> list[Message]:
        if "bank_ms" in message["clock"]:
            int(message["clock"]["bank_ms"])
        return super().turn(message)


class Tight(Player):
    """Looks for the type without parsing."""

    def __call__(self, line: bytes) -> list[bytes]:
        return super().__call__(line) if b'"type":"' in line else []


class Short(Player):
    """Reads into a buffer of fixed size."""

    def __call__(self, line: bytes) -> list[bytes]:
        return super().__call__(line[:65536])
