"""A person at the desk: what is shown, what is typed, and what is handed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import pytest
from rich.text import Text

from mexica_cli.games import load_game
from mexica_cli.games.game import Game, State
from mexica_cli.view.terminal.canvas import Canvas
from mexica_cli.view.terminal.desk import Desk, Left
from mexica_cli.view.terminal.prompter import Texts
from mexica_cli.wire.messages import Clock, Event, Play, Result, Said, Say, Start, Turn


class Typist:
    """Types lines, and keeps what it was shown."""

    def __init__(self, *lines: str | type[BaseException]) -> None:
        self.canvas = Canvas(unicode=False, colours=False)
        self.width = 100
        self.lines = list(lines)
        self.seen: list[str] = []

    def ask(self, label: str, texts: Texts) -> str:
        assert texts()
        line = self.lines.pop(0)
        if not isinstance(line, str):
            raise line
        return line

    def show(self, text: Text | str = "") -> None:
        self.seen.append(str(text))

    def close(self) -> None:
        self.seen.append("closed")

    def saw(self, words: str) -> bool:
        """Whether some line had these words."""
        return any(words in line for line in self.seen)


class Seated:
    """A desk with a game under way, seat 0 being the person's."""

    def __init__(self, typist: Typist, name: str = "mexica", hinted: Sequence[str] = ("end",)) -> None:
        self.typist = typist
        self.game: Game = load_game(name)
        self.state: State = self.game.start(2, self.game.deal(2, 1))
        self.saved: list[str] = []
        self.asked: list[Turn] = []
        self.desk = Desk(typist, self._hint(hinted), self._save)

    def _hint(self, hinted: Sequence[str]) -> Callable[[Start, Turn], Sequence[str]]:
        def hint(_: Start, turn: Turn) -> Sequence[str]:
            self.asked.append(turn)
            return hinted

        return hint

    def _save(self, name: str) -> int:
        if "/" in name:
            raise PermissionError(13, "Permission denied")
        self.saved.append(name)
        return 7

    def begin(self) -> None:
        self.desk.begin(
            Start(
                match="1-1",
                game=self.game.name,
                rules=self.game.rules,
                options=self.game.options(),
                seat=0,
                seats=["ann", "bob"],
                seed=1,
                state=msgspec.to_builtins(self.state.observation(0)),
                clock=Clock(),
            )
        )

    def do(self, *texts: str) -> None:
        """Something happens in the game."""
        for text in texts:
            seat = self.state.to_act
            assert seat is not None
            followed = self.state.apply(self.state.parse(text))
            self.desk.happen(Event(match="1-1", n=1, seat=seat, action=text, followed=followed))

    def choose(self) -> list[Play | Say]:
        """The person's turn."""
        legal = sorted(map(self.state.text, self.state.legal_actions()))
        view = msgspec.to_builtins(self.state.observation(0))
        return self.desk.choose(Turn(match="1-1", id=5, seat=0, clock=Clock(), state=view, legal=legal))

    def play(self) -> list[str]:
        """The same; the actions."""
        (answer,) = self.choose()
        assert isinstance(answer, Play)
        assert answer.id == 5
        return answer.actions


def seated(*lines: str | type[BaseException], hinted: Sequence[str] = ("end",)) -> Seated:
    """In a first turn of Mexica: pawns on h6 (the person's) and h8."""
    sitting = Seated(Typist(*lines), hinted=hinted)
    sitting.begin()
    sitting.do("place h6", "place h8")
    return sitting


def test_a_turn_is_handed_over_when_it_is_ended() -> None:
    sitting = seated("c a3", "take; take", "end")
    assert sitting.play() == ["canal a3", "take", "take", "end"]
    assert sitting.typist.saw("ann digs a canal on a3")
    assert not sitting.typist.lines


def test_what_was_handed_over_is_not_told_twice() -> None:
    sitting = seated("take", "end")
    sitting.play()
    told = len(sitting.typist.seen)
    sitting.do("take", "end")
    assert len(sitting.typist.seen) == told
    sitting.do("take")
    assert sitting.typist.seen[told:] == [" B  bob takes an action token  (take)"]


def test_actions_are_taken_back() -> None:
    sitting = seated("take; c a3; c a11", "undo", "undo 9", "undo 2", "undo x", "end")
    assert sitting.play() == ["end"]
    assert sitting.typist.saw("actions of this turn to take back: 2")
    assert sitting.typist.saw("actions of this turn to take back: 0")


def test_what_cannot_be_done_is_said_and_what_follows_it_left() -> None:
    sitting = seated("take; walk a3; take", "end; take")
    assert sitting.play() == ["take", "end"]
    assert sitting.typist.saw("a3 isn't orthogonally next to your pawn")
    assert sitting.typist.saw("take: not done, as it is no longer your turn")


def test_questions() -> None:
    sitting = seated("?", "? walk", "? walk a3", "? walk h5", "? zzz", "help", "board", "end")
    assert sitting.play() == ["end"]
    for words in ("teleport ", "walk g6, walk h5", "a3 isn't", "walk h5: that can be done", "'zzz'", "save FILE"):
        assert sitting.typist.saw(words), words


def test_a_hint_and_letting_it_play() -> None:
    sitting = seated("take", "hint", "auto", hinted=["take", "end"])
    assert sitting.play() == ["take", "take", "end"]
    assert sitting.typist.saw("it would do: take; end")
    assert [turn.state and turn.state["taken"] for turn in sitting.asked] == [1, 1]


def test_saving() -> None:
    sitting = seated("save", "save a/b", "save game.jsonl", "end")
    sitting.play()
    assert sitting.saved == ["game.jsonl"]
    assert sitting.typist.saw("give a name")
    assert sitting.typist.saw("a/b: Permission denied")
    assert sitting.typist.saw("saved with 7 actions; go on with: mexica play --load game.jsonl")


@pytest.mark.parametrize("lines", [("quit",), (EOFError,), (KeyboardInterrupt, KeyboardInterrupt)])
def test_leaving(lines: Sequence[str | type[BaseException]]) -> None:
    with pytest.raises(Left):
        seated(*lines).choose()


def test_one_interrupt_only_warns() -> None:
    sitting = seated(KeyboardInterrupt, "", "end", KeyboardInterrupt)
    assert sitting.play() == ["end"]
    assert sitting.typist.saw("Ctrl-C once more")


def test_where_something_is_hidden_every_action_is_handed_over() -> None:
    sitting = Seated(Typist("undo", "keep; keep"), "moctezuma")
    sitting.begin()
    assert sitting.play() == ["keep"]
    assert sitting.typist.saw("nothing can be taken back")
    assert sitting.typist.saw("keep: not done")
    assert sitting.typist.saw("3 hidden")


@pytest.mark.parametrize("name", ["devoto", "DEVOTO", " Devoto "])
def test_what_a_card_says(name: str) -> None:
    sitting = Seated(Typist(f"? {name}", "? refuerzo  doble", "? part_east", "? nobody", "keep"), "moctezuma")
    sitting.begin()
    sitting.play()
    assert sitting.typist.saw(
        "Devoto (devoto), warrior, resistance 1: Can be sacrificed to Quetzalcoatl like a priest; "
    )
    assert sitting.typist.saw("Refuerzo Doble (refuerzo_doble), conquistador: The top 2 cards")
    assert sitting.typist.saw("(part_east), part, value 2")
    assert sitting.typist.saw("'nobody'")


def test_talking_to_the_team() -> None:
    sitting = Seated(Typist("say too early", "keep"), "moctezuma")
    sitting.begin()
    assert sitting.play() == ["keep"]
    assert sitting.typist.saw("nobody of a team to talk to now")
    sitting.do("keep", "keep")
    card = sitting.state.text(sitting.state.legal_actions()[0])
    sitting.typist.lines = ["say", "say I play a healer", card]
    said, played = sitting.choose()
    assert said == Say(match="1-1", text="I play a healer")
    assert isinstance(played, Play)
    sitting.desk.said(Said(match="1-1", seat=1, text="good\x1b[2J"))
    assert sitting.typist.saw("bob says: good�[2J")


@pytest.mark.parametrize("name", ["mexica", "moctezuma"])
def test_a_forfeit_is_told(name: str) -> None:
    sitting = Seated(Typist(), name)
    sitting.begin()
    forfeit = {"what": "forfeit", "seat": 1, "kind": "timeout", "reason": "no answer within 10 s"}
    sitting.desk.happen(Event(match="1-1", n=0, seat=1, followed=[forfeit]))
    assert sitting.typist.seen[-1] == "    B forfeits, timeout: no answer within 10 s"


def test_the_end() -> None:
    sitting = seated()
    result = Result(match="1-1", outcome="finished", ranking=[2, 1], scores=[5, 9], reasons=[None, None])
    sitting.desk.result(result)
    assert sitting.typist.seen[-2:] == ["  1.  B  bob 9 points", "  2.  A  ann 5 points"]
    sitting.desk.result(msgspec.structs.replace(result, ranking=[2, 2], scores=[5, 5], won=False))
    assert sitting.typist.seen[-1] == "The team has lost, with 5 points."
    told = len(sitting.typist.seen)
    sitting.desk.result(Result(match="1-1", outcome="void", ranking=[], scores=[], reasons=[]))
    assert len(sitting.typist.seen) == told
