"""Which bot is meant: from the words on a command line to a name and a way to reach it.

A BOT is a reference bot's name with its options (`greedy`, `random --seed 3`), a path (`./my_bot.py`), a command line
(`node my.js`), or `listen:PORT`; any of these may be given a name: `champion=node my.js`.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

import mexica_cli
from mexica_cli.arena.inprocess import Respond
from mexica_cli.arena.tcp import DEFAULT_HOST
from mexica_cli.record.lines import BotRecord
from mexica_cli.wire.messages import NAME_CHARACTERS

_NAMED = re.compile(r"([\w.+#-]+)=(.+)", re.DOTALL)
_LISTEN = re.compile(r"listen:(?:(.+):)?(\d+)")
_INTERPRETERS = re.compile(r"(python[\d.]*|node|java|ruby|perl|sh|bash|env|deno|bun|lua|php|Rscript|julia)(\.exe)?")


class SpecError(Exception):
    """A BOT that names nothing that can be run; the message says what would."""


class Command(msgspec.Struct, frozen=True):
    """A program to start."""

    argv: tuple[str, ...]
    sandbox: bool = False


class Listen(msgspec.Struct, frozen=True):
    """A bot that will connect."""

    host: str
    port: int


class Inside(msgspec.Struct, frozen=True):
    """A bot that runs inside the arena's process; `make` gives a new one."""

    make: Callable[[], Respond]


class BotFile(msgspec.Struct, frozen=True):
    """A file that a bot is made of, as it was when the bot was named."""

    path: Path
    sha256: bytes
    stamp: tuple[int, int, int] | None

    def has_changed(self) -> bool:
        """Whether something else is in it now."""
        return _stamp(self.path) != self.stamp and _sha256(self.path) != self.sha256


class BotSpec(msgspec.Struct, frozen=True):
    """A bot as named by the user."""

    name: str
    text: str
    """As typed, without the name."""
    launch: Command | Listen | Inside
    sha256: str
    files: tuple[BotFile, ...] = ()
    """What `sha256` is made from, besides the words."""

    def changed_file(self) -> Path | None:
        """The first of the files in which there is something else now; then `sha256` isn't that of the bot any more."""
        return next((file.path for file in self.files if file.has_changed()), None)

    def record(self) -> BotRecord:
        """The same for the log."""
        return BotRecord(name=self.name, command=self.text, sha256=self.sha256, sandbox=self.in_sandbox)

    @property
    def in_sandbox(self) -> bool:
        """Whether it is run in a sandbox."""
        return isinstance(self.launch, Command) and self.launch.sandbox


def reference_bots() -> dict[str, Path]:
    """The project's own bots in Python by name, with the program of each."""
    return {path.parent.name: path for path in _of_the_project("bot.py")}


def compiled_bots() -> dict[str, Path]:
    """The project's own bots that must be built, by name, with the program of each, built or not.

    Such a bot is a folder with a Makefile that has a rule for a program of the folder's name.
    """
    makefiles = {path: path.parent.name for path in _of_the_project("Makefile")}
    return {name: path.parent / name for path, name in makefiles.items() if _has_rule(path, name)}


def _of_the_project(file: str) -> list[Path]:
    """All files of that name in the project's bots."""
    package = Path(mexica_cli.__file__).parent
    for folder in (package / "bots", package.parent / "bots"):
        if folder.is_dir():
            return sorted(folder.glob(f"*/{file}"))
    return []


def _has_rule(makefile: Path, target: str) -> bool:
    text = makefile.read_text(encoding="utf-8", errors="replace")
    return re.search(rf"^{re.escape(target)}\s*:", text, re.MULTILINE) is not None


def parse_specs(texts: Sequence[str]) -> list[BotSpec]:
    """The bots of a match, with names made unique (`random`, `random#2`). Raises SpecError."""
    specs: list[BotSpec] = []
    for text in texts:
        spec = parse_spec(text)
        specs.append(msgspec.structs.replace(spec, name=_unique(spec.name, {other.name for other in specs})))
    return specs


def parse_spec(text: str) -> BotSpec:
    """One bot. Raises SpecError."""
    if not _is_text(text):
        raise SpecError(
            f"bot {text.encode('utf-8', 'backslashreplace').decode()} is no text in UTF-8; rename its files"
        )
    given, words = (match[1], match[2]) if (match := _NAMED.fullmatch(text.strip())) else (None, text.strip())
    if listen := _LISTEN.fullmatch(words):
        host, port = listen[1] or DEFAULT_HOST, int(listen[2])
        if port > 65535:
            raise SpecError(f"{words!r}: a port is a number up to 65535")
        return BotSpec(_name(given or f"port{port}"), words, Listen(host, port), _hash([words], ()))
    try:
        split = shlex.split(words)
    except ValueError as error:
        raise SpecError(f"bot {text!r} can't be split into words: {error}") from None
    if not split or not split[0]:
        raise SpecError(f"bot {text!r} is empty; {_what_would_do()}")
    argv, paths, default = _program(split)
    files = tuple(_bot_file(path) for path in (*paths, *_shared(paths)))
    return BotSpec(_name(given or default), words, Command(tuple(argv)), _hash(split, files), files)


def _is_text(text: str) -> bool:
    """Whether it can be written to a log. Bytes of a command line that are no UTF-8 come as lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def sandboxed(spec: BotSpec) -> BotSpec:
    """The same bot, to be run in a sandbox. Raises SpecError for one that is no process of the arena's."""
    if not isinstance(spec.launch, Command):
        raise SpecError(f"{spec.name} can't be sandboxed: only a program that the arena starts can, as a process")
    return msgspec.structs.replace(spec, launch=msgspec.structs.replace(spec.launch, sandbox=True))


def _program(words: list[str]) -> tuple[list[str], list[Path], str]:
    """The command, the files that make it up, and a name for it."""
    first, rest = words[0], words[1:]
    if bot := reference_bots().get(first):
        return [sys.executable, str(bot), *rest], [*_files(bot.parent), *_existing(rest)], first
    if built := compiled_bots().get(first):
        return [_checked(built), *rest], [built, *_existing(rest)], first
    path = os.path.expanduser(first)  # noqa: PTH111 (a Path would forget the dot of `./bot`)
    if path.endswith(".py") and _is_file(path):
        return [sys.executable, path, *rest], _existing([path, *rest]), Path(path).stem
    if (found := shutil.which(path)) is None:
        raise SpecError(_why_not(first, path))
    program = str(Path(found).absolute()) if os.sep in path else found
    return [program, *rest], _existing([program, *rest]), _default_name(words)


def _checked(built: Path) -> str:
    """The program of a compiled bot. Raises SpecError if it isn't there yet."""
    if not built.is_file():
        folder = built.parent
        shown = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
        raise SpecError(f"bot {built.name!r} must be built before it plays: make -C {shlex.quote(str(shown))}")
    return str(built)


def _why_not(first: str, path: str) -> str:
    """The sentence for a program that can't be started."""
    if _is_file(path) and os.access(path, os.X_OK):
        return f"bot {first!r} is a file here, but no command; write './{first}'"
    if _is_file(path):
        return f"bot {first!r} is not executable; `chmod +x {first}`, or name what runs it: 'node {first}'"
    if os.path.isdir(path):  # noqa: PTH112 (as in `_is_file`)
        return f"bot {first!r} is a folder; name the program in it"
    return f"there is no bot, file or command {first!r}; {_what_would_do()}"


def _default_name(words: list[str]) -> str:
    """The script's name where an interpreter runs one, else the program's."""
    if _INTERPRETERS.fullmatch(Path(words[0]).name):
        for path in _existing(words[1:]):
            return path.stem
    return Path(words[0]).stem


def _name(name: str) -> str:
    return re.sub(r"[^\w.+#-]", "_", name)[:NAME_CHARACTERS]


def _unique(name: str, taken: set[str]) -> str:
    candidates = (name if k == 1 else f"{name}#{k}" for k in range(1, len(taken) + 2))
    return next(candidate for candidate in candidates if candidate not in taken)


def _what_would_do() -> str:
    names = ", ".join(sorted({*reference_bots(), *compiled_bots()}))
    return f"a bot is one of {names}, a path, a command line in quotes, name=command, or listen:PORT"


def _existing(words: Iterable[str]) -> list[Path]:
    return [Path(word) for word in words if _is_file(word)]


def _is_file(word: str) -> bool:
    """Whether that file exists; a word may be too long to be a file's name, such as a program after `python -c`."""
    return os.path.isfile(word)  # noqa: PTH113 (Path.is_file raises OSError for such a word)


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if path.is_file()]


def _content(path: Path) -> bytes:
    """The file's bytes; its name where they can't be read: a program may be runnable and no more."""
    try:
        return path.read_bytes()
    except OSError:
        return str(path).encode()


def _shared(files: list[Path]) -> list[Path]:
    """The modules of `mexica_cli.tactics`, where a Python file among these names it: they make up the bot too."""
    if any(path.suffix == ".py" and b"mexica_cli.tactics" in _content(path) for path in files):
        return sorted((Path(mexica_cli.__file__).parent / "tactics").rglob("*.py"))
    return []


def _bot_file(path: Path) -> BotFile:
    stamp = _stamp(path)  # before it is read: what is written while it is doesn't go unnoticed
    return BotFile(path, _sha256(path), stamp)


def _sha256(path: Path) -> bytes:
    return hashlib.sha256(_content(path)).digest()


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """What shows, almost for sure and without reading it, that a file is as it was: time, size and inode."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _hash(words: list[str], files: Sequence[BotFile]) -> str:
    """Over the words of a command, the files among them, and what these share with other bots."""
    digest = hashlib.sha256("\0".join(words).encode("utf-8", "surrogateescape"))
    for file in files:
        digest.update(b"\0" + file.sha256)
    return digest.hexdigest()
