"""What a person may type for an action: its text, its beginning, or a few letters of each word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mexica_cli.games.game import BadAction, State

MOST_SHOWN = 12


class Unclear(Exception):
    """What was typed is no one action that can be done now; the text says what would be."""


def read_action(state: State, typed: str) -> int:
    """The legal action that is meant. Raises Unclear.

    The exact text always counts. Else each word may be cut short (`c a3` is `canal a3`), and words at the end may be
    left out, as long as only one legal action is meant; one of which only the first is cut short goes first.
    """
    words = typed.split()
    if not words:
        raise Unclear("nothing was typed")
    legal = {state.text(action): action for action in state.legal_actions()}
    if (exact := legal.get(" ".join(words))) is not None:
        return exact
    found = [text for text in sorted(legal) if _means(words, text.split())]
    found = [text for text in found if text.split()[1:] == words[1:]] or found
    if len(found) == 1:
        return legal[found[0]]
    if found:
        raise Unclear(f"{typed!r} may be {listed(found)}")
    raise Unclear(_why_not(state, words, legal))


def _means(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the first word is cut short, at most, and so are those after it, which may be left out at the end."""
    return len(typed) <= len(words) and all(word.startswith(part) for part, word in zip(typed, words, strict=False))


def _why_not(state: State, words: list[str], legal: Iterable[str]) -> str:
    """Why an action can't be done, or what can."""
    kinds = sorted({text.split()[0] for text in legal})
    whole = [kind for kind in _kinds(state) if kind.startswith(words[0])]
    text = " ".join([whole[0], *words[1:]]) if len(whole) == 1 else " ".join(words)
    try:
        illegal = state.why_illegal(state.parse(text))
    except BadAction as bad:
        return f"{bad.reason}; now it is one of {', '.join(kinds)}"
    return illegal.reason if illegal else "it can't be done now"


def _kinds(state: State) -> list[str]:
    return sorted({state.text(action).split()[0] for action in state.legal_actions()})


def listed(texts: Sequence[str]) -> str:
    """Some texts in a sentence, not all if they are many."""
    shown = ", ".join(texts[:MOST_SHOWN])
    more = len(texts) - MOST_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def by_kind(state: State, kind: str = "") -> list[str]:
    """Lines that list the legal actions, a line a kind, or all of the kinds that begin so."""
    texts = sorted(state.text(action) for action in state.legal_actions())
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(text.split()[0], []).append(text)
    wanted = {name: found for name, found in kinds.items() if name.startswith(kind)}
    if kind and wanted:
        return [listed_in_full(found) for found in wanted.values()]
    return [f"{name:10} {len(found):>4}  {_examples(found)}" for name, found in wanted.items()]


def listed_in_full(texts: Sequence[str]) -> str:
    """All of them in one line."""
    return ", ".join(texts)


def _examples(texts: Sequence[str]) -> str:
    return ", ".join(texts[:4]) + (", ..." if len(texts) > 4 else "")
