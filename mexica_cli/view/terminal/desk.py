"""What a person plays at: shows the game as its seat sees it, and makes actions of what is typed.

In a game in which everybody sees everything a turn is put together here, on a copy of the state, so that any of it can
be taken back until it is handed over. Where something is hidden every action is handed over at once: what it brings to
light can't be unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from rich.text import Text

from mexica_cli.games import restore_game
from mexica_cli.games.chance import Chance
from mexica_cli.games.game import Game, JsonDict, State
from mexica_cli.games.tomlfile import plain
from mexica_cli.number_text import count
from mexica_cli.view.console import clean
from mexica_cli.view.scene import Scene, letter, seat_style, short_name
from mexica_cli.view.tellers import teller_of
from mexica_cli.view.tellers.teller import Teller
from mexica_cli.view.terminal.prompter import Prompter
from mexica_cli.view.terminal.reading import Unclear, by_kind, read_action
from mexica_cli.wire.messages import Event, Play, Reject, Result, Said, Say, Start, Turn

HELP = """\
Type an action, or several with ; between them. Words may be cut short: `c a3` is `canal a3`. Tab completes.
  ?            what can be done now, by kind         ? temple     all of one kind
  ? temple 3 f5    why that can't be done            ? CARD       what a card of Moctezuma says
  undo [N]     take back your last actions of this turn
  hint         what a bot would do                   auto         let it do that
  board        show the position again               say TEXT     talk to your team
  save FILE    save the game, to go on with later    quit         leave"""

Hint = Callable[[Start, Turn], Sequence[str]]
"""What a bot would do, asked as if it sat here."""
Save = Callable[[str], int]
"""Saves the game under a name; how many actions of it. Raises OSError."""


class Left(Exception):
    """The person wants to go."""


class Desk:
    """One game, from one seat."""

    def __init__(self, prompter: Prompter, hint: Hint, save: Save) -> None:
        self._prompter = prompter
        self._hint = hint
        self._save = save
        self._game: Game
        self._start: Start
        self._teller: Teller
        self._state: State
        self._chance = Chance(0)
        self._handed_over = 0
        """Own actions whose events are still to come, and were shown when they were chosen."""

    def close(self) -> None:
        """Nobody is asked any more."""
        self._prompter.close()

    # ---- what happens ----------------------------------------------------------------------------

    def begin(self, start: Start) -> None:
        """The game begins, or goes on."""
        self._start = start
        self._game = restore_game(start.game, start.options)
        self._teller = teller_of(start.game, start.options)
        self._chance = Chance(start.seed)
        self._state = self._game.imagine(start.state, start.seat, self._chance)
        seats = ", ".join(f"{letter(n)} is {short_name(name)}" for n, name in enumerate(start.seats))
        self._show(
            f"{start.game}, rules {start.rules}: {seats}. You are {letter(start.seat)}. `help` says what to type."
        )

    def happen(self, event: Event) -> None:
        """Somebody acted."""
        if event.action is not None and self._game.open_information:
            self._state.apply(self._state.parse(event.action))
        if event.seat == self._start.seat and self._handed_over and event.action is not None:
            self._handed_over -= 1
            return
        self._tell(event.seat, event.action, event.followed)

    def rejected(self, reject: Reject) -> None:
        """What was handed over can't be done; it can't come to that but by a fault of ours."""
        self._handed_over = 0
        self._show(Text(f"{reject.action}: {reject.reason}", "red"))

    def said(self, said: Said) -> None:
        """Another member of the team says something."""
        self._show(self._who(said.seat).append(f" says: {clean(said.text)}", "italic"))

    def result(self, result: Result) -> None:
        """The game is over."""
        if not result.ranking:
            return
        self._draw(self._state)
        if result.won is not None:
            points = count(result.scores[0], "point")
            self._show(Text(f"The team has {'won' if result.won else 'lost'}, with {points}.", "bold"))
            return
        for seat in sorted(range(len(result.ranking)), key=lambda seat: result.ranking[seat]):
            text = Text(f"{result.ranking[seat]:>3}. ").append_text(self._who(seat))
            self._show(text.append(f" {count(result.scores[seat], 'point')}"))

    def _tell(self, seat: int, action: str | None, followed: Sequence[JsonDict]) -> None:
        if action is not None:
            self._show(self._who(seat).append(f" {self._teller.action(action)}  ").append(f"({action})", "dim"))
        for entry in followed:
            for sentence in self._teller.followed(entry):
                self._show(Text(f"    {clean(sentence)}", "cyan"))

    def _who(self, seat: int) -> Text:
        return Text().append(f" {letter(seat)} ", seat_style(seat)).append(f" {short_name(self._start.seats[seat])}")

    def _draw(self, state: State) -> None:
        view = state.observation(self._start.seat)
        scene = Scene(observation=view, options=self._start.options, seats=self._start.seats)
        self._show()
        self._show(self._prompter.canvas.picture(self._game.name, scene, self._prompter.width))
        self._show()

    def _show(self, text: Text | str = "") -> None:
        self._prompter.show(text)

    # ---- a turn ----------------------------------------------------------------------------------

    def choose(self, turn: Turn) -> list[Play | Say]:
        """Have the person choose. Raises Left."""
        if turn.state is not None and not self._game.open_information:
            self._state = self._game.imagine(turn.state, turn.seat, self._chance)
        draft = Draft(self._state, turn)
        self._draw(draft.state)
        while not draft.finished:
            self._obey(self._typed(draft), draft)
            if draft.actions and not self._game.open_information:
                break
        if self._game.open_information:
            self._handed_over = len(draft.actions)
        return [*draft.sayings, Play(id=turn.id, actions=draft.actions)]

    def _typed(self, draft: Draft) -> str:
        """A line that isn't empty. Raises Left."""
        warned = False
        while True:
            try:
                if line := self._prompter.ask(f"{letter(self._start.seat)}> ", draft.texts).strip():
                    return line
            except EOFError:
                raise Left from None
            except KeyboardInterrupt:
                if warned:
                    raise Left from None
                self._show("Ctrl-C once more, or `quit`, leaves the game; `save FILE` keeps it.")
                warned = True

    def _obey(self, line: str, draft: Draft) -> None:
        """Do what was typed, and say so where it can't be done. Raises Left."""
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str, Draft], None]] = {
            "?": self._explain,
            "help": lambda _rest, _draft: self._show(HELP),
            "board": lambda _rest, draft: self._draw(draft.state),
            "undo": self._undo,
            "hint": lambda _rest, draft: self._show(f"it would do: {'; '.join(self._hinted(draft))}"),
            "auto": lambda _rest, draft: self._act("; ".join(self._hinted(draft)), draft),
            "say": self._say,
            "save": lambda rest, _draft: self._keep(rest.strip()),
            "quit": self._quit,
        }
        if (command := commands.get(word)) is not None:
            command(rest, draft)
        else:
            self._act(line, draft)

    def _act(self, line: str, draft: Draft) -> None:
        """Do actions in order, up to one that can't be done or that ends the turn."""
        done = 0
        for part in filter(None, (part.strip() for part in line.split(";"))):
            if draft.finished or (done and not self._game.open_information):
                self._show(f"{part}: not done, as it is no longer your turn")
                continue
            try:
                text, followed = draft.do(part)
            except Unclear as unclear:
                self._show(Text(str(unclear), "yellow"))
                break
            done += 1
            if self._game.open_information:
                self._tell(self._start.seat, text, followed)
        if done and not draft.finished and self._game.open_information:
            self._draw(draft.state)

    def _explain(self, rest: str, draft: Draft) -> None:
        """`?`: what can be done; with an action, why it can't be; with the name of a thing, what it is."""
        words = rest.split()
        if (about := self._teller.explain(" ".join(words))) is not None:
            self._show(clean(about))
            return
        if lines := by_kind(draft.state, words[0] if words else "") if len(words) < 2 else []:
            for line in lines:
                self._show(line)
            return
        try:
            action = read_action(draft.state, rest)
        except Unclear as unclear:
            self._show(Text(str(unclear), "yellow"))
        else:
            self._show(f"{draft.state.text(action)}: that can be done")

    def _undo(self, rest: str, draft: Draft) -> None:
        steps = int(rest) if rest.strip().isdecimal() else 1
        if not self._game.open_information:
            self._show("nothing can be taken back in a game in which something is hidden")
        elif not draft.undo(steps):
            self._show(f"actions of this turn to take back: {len(draft.actions)}")
        else:
            self._draw(draft.state)

    def _hinted(self, draft: Draft) -> Sequence[str]:
        """What a bot would do from here."""
        state = draft.state
        view: JsonDict = msgspec.to_builtins(state.observation(self._start.seat))
        start = msgspec.structs.replace(self._start, state=view)
        turn = msgspec.structs.replace(draft.turn, state=view, legal=sorted(map(state.text, state.legal_actions())))
        return self._hint(start, turn)

    def _say(self, rest: str, draft: Draft) -> None:
        if not draft.state.may_talk:
            self._show("nobody of a team to talk to now")
        elif rest.strip():
            draft.sayings.append(Say(match=self._start.match, text=rest.strip()[:500]))

    def _keep(self, name: str) -> None:
        if not name:
            self._show("save FILE: give a name")
            return
        try:
            actions = self._save(name)
        except OSError as error:
            self._show(Text(f"{name}: {plain(error)}", "red"))
        else:
            self._show(f"saved with {count(actions, 'action')}; go on with: mexica play --load {name}")

    def _quit(self, rest: str, draft: Draft) -> None:
        raise Left


class Draft:
    """The turn that is being put together."""

    def __init__(self, state: State, turn: Turn) -> None:
        self.turn = turn
        self.actions: list[str] = []
        self.sayings: list[Say] = []
        self._states = [state.copy()]
        self._seat, self._begun = state.to_act, state.turn

    @property
    def state(self) -> State:
        """As it stands after the actions so far."""
        return self._states[-1]

    @property
    def finished(self) -> bool:
        """Whether it is somebody else's turn, or the next one of the same seat."""
        return self.state.to_act != self._seat or self.state.turn != self._begun

    def texts(self) -> list[str]:
        """What can be typed, for completion."""
        commands = ["auto", "board", "help", "hint", "quit", "save", "undo"]
        return [*commands, *map(self.state.text, self.state.legal_actions())]

    def do(self, typed: str) -> tuple[str, list[JsonDict]]:
        """Do what was typed: its text, and what followed. Raises Unclear."""
        action = read_action(self.state, typed)
        text = self.state.text(action)
        after = self.state.copy()
        followed = after.apply(action)
        self._states.append(after)
        self.actions.append(text)
        return text, followed

    def undo(self, steps: int) -> bool:
        """Take back so many actions; False where there aren't as many."""
        if not 0 < steps <= len(self.actions):
            return False
        del self._states[-steps:]
        del self.actions[-steps:]
        return True
