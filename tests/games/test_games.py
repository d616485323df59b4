"""The table of games."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mexica_cli.games import GAMES, load_game, restore_game
from mexica_cli.games.game import BadAction, RuleError
from mexica_cli.games.mexica import MexicaGame
from mexica_cli.games.moctezuma import MoctezumaGame


@pytest.mark.parametrize("name", GAMES)
def test_the_table_says_what_is_true_of_a_game(name: str) -> None:
    kind = GAMES[name]
    for rules in kind.rules:
        game = load_game(name, rules)
        assert (game.name, game.rules, game.seats, game.cooperative) == (name, rules, kind.seats, kind.cooperative)
    with pytest.raises(RuleError, match=", ".join(kind.rules)):
        load_game(name, "none")


@pytest.mark.parametrize(("name", "kind"), [("mexica", MexicaGame), ("moctezuma", MoctezumaGame)])
def test_a_game_is_made_again_from_its_options(name: str, kind: type) -> None:
    game = load_game(name)
    again = restore_game(name, game.options())
    assert isinstance(again, kind)
    assert again.options() == game.options()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("begin", ["", "{word} ", "{word} 1 ", "{word} a1 "])
def test_no_reason_is_as_long_as_what_was_written(name: str, begin: str) -> None:
    """It goes to everybody at the table, and into the log."""
    game = load_game(name)
    state = game.start(2, game.deal(2, 7))
    words = {state.text(action).split(" ")[0] for action in state.legal_actions()}
    for word in sorted(words | {"canal", "bridge", "found", "play", "sacrifice", "take", "god", "option"}):
        for rest in (60_000 * "x", 20_000 * "a1 ", 60_000 * "1", "a" + 60_000 * "1"):
            with pytest.raises(BadAction) as refused:
                state.parse(begin.format(word=word) + rest)
            assert len(refused.value.reason) < 300


def test_a_game_that_there_is_not() -> None:
    with pytest.raises(RuleError, match="there is no game 'chess'; there is mexica, moctezuma"):
        load_game("chess")


def loaded(code: str) -> str:
    """The games that a new Python has loaded after some code."""
    end = "print([name for name in ('mexica', 'moctezuma') if f'mexica_cli.games.{name}' in sys.modules])"
    run = subprocess.run([sys.executable, "-c", f"{code}\n{end}"], capture_output=True, text=True, check=True)
    return run.stdout


def test_only_the_game_that_is_made_is_loaded() -> None:
    load = "import sys\nfrom mexica_cli.games import GAMES, load_game\n"
    assert loaded(f"{load}list(GAMES.items())") == "[]\n"
    assert loaded(f"{load}load_game('mexica')") == "['mexica']\n"
    assert loaded(f"{load}load_game('moctezuma')") == "['moctezuma']\n"


def test_a_match_is_set_up_without_loading_any() -> None:
    assert loaded("import sys\nimport mexica_cli.cli.match, mexica_cli.tournament.worker") == "[]\n"
