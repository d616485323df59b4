"""Bytes to lines, lines to messages, messages to lines: both ends of a connection frame with this module.

It raises two errors, both ValueErrors: LineTooLong, for a line that exceeds its limit whether its end has arrived or
not, and BadMessage, for a line that is no message.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from mexica_cli.wire.messages import ArenaMessage, BotMessage, Message

EXCERPT_CHARACTERS = 120

BadMessageCode = Literal["not_json", "no_type", "unknown_type", "bad_field"]


class LineTooLong(ValueError):
    """A line of more than `limit` bytes, line feed included. The buffer that raised it is of no further use."""

    def __init__(self, limit: int, start: str) -> None:
        super().__init__(f"a line may have {limit} bytes with its line feed, this one has more; it begins: {start}")
        self.limit = limit
        self.start = start


class BadMessage(ValueError):
    """A line that is no message.

    `code` is `not_json` (or no UTF-8), `no_type` (no object, or no text in `type`), `unknown_type`, or `bad_field` (a
    known type with a field missing or wrong). `reason` is a sentence or two for people; it shows the start of the line.
    """

    def __init__(self, code: BadMessageCode, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class LineBuffer:
    """Cuts a stream of bytes into lines: feed it what arrives, then take lines until there is none.

    Every byte is looked at once, so that a long line in many small pieces costs no more than in one.
    """

    def __init__(self, limit: int) -> None:
        """`limit`: bytes that a line may have, its end (LF or CR LF) included."""
        self._limit = limit
        self._blank = re.compile(rb"(?:[^\S\n]{0,%d}+\n)++" % (limit - 1))
        self._data = bytearray()
        self._searched = 0

    def feed(self, data: bytes) -> None:
        """Add what has arrived."""
        self._data += data

    def next_line(self) -> bytes | None:
        """The next line that isn't blank, without its end; None until more arrives.

        Raises LineTooLong for the line that is next, also before its end has arrived; lines before it come out first.
        """
        while (end := self._find_end()) is not None:
            self._searched = 0
            if blank := self._blank.match(self._data):  # all blank lines at once: a flood of them is soon dealt with
                del self._data[: blank.end()]
                continue
            line = bytes(self._data[:end]).rstrip(b"\r")
            del self._data[: end + 1]
            return line
        return None

    @property
    def pending(self) -> int:
        """Bytes after the last line feed: at the end of input, the length of a torn line."""
        return len(self._data) - (self._data.rfind(b"\n", self._searched) + 1)

    def _find_end(self) -> int | None:
        """Where the first line feed is, if it has arrived. Raises LineTooLong."""
        end = self._data.find(b"\n", self._searched)
        self._searched = len(self._data) if end < 0 else end
        if self._searched >= self._limit:
            raise LineTooLong(self._limit, excerpt(self._data))
        return None if end < 0 else end


def excerpt(line: bytes | bytearray | str) -> str:
    """The start of a line as text that can be shown anywhere: no control characters, at most 120 characters."""
    start = line[: 4 * EXCERPT_CHARACTERS]
    text = start if isinstance(start, str) else bytes(start).decode("utf-8", "replace")
    clean = "".join(c if c.isprintable() else "�" for c in text)
    cut = len(clean) > EXCERPT_CHARACTERS or len(line) > len(start)
    return clean[: EXCERPT_CHARACTERS - 1] + "…" if cut else clean


# ---- messages ------------------------------------------------------------------------------------

_encoder = msgspec.json.Encoder()
_bot_decoder: msgspec.json.Decoder[BotMessage] = msgspec.json.Decoder(BotMessage)
_arena_decoder: msgspec.json.Decoder[ArenaMessage] = msgspec.json.Decoder(ArenaMessage)


def encode(message: Message) -> bytes:
    """The message as a line, with its line feed."""
    return _encoder.encode(message) + b"\n"


def decode_bot_message(line: bytes) -> BotMessage:
    """What a bot sent, from a line without its end. Raises BadMessage."""
    try:
        return _bot_decoder.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise diagnose(line, error, BotMessage, "a bot") from None


def decode_arena_message(line: bytes) -> ArenaMessage:
    """What the arena sent, from a line without its end. Raises BadMessage."""
    try:
        return _arena_decoder.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise diagnose(line, error, ArenaMessage, "the arena") from None


# ---- what is wrong with a line -------------------------------------------------------------------


class _Envelope(msgspec.Struct):
    """Any JSON object: reads `type` and skips the rest."""

    type: Any = None


def diagnose(line: bytes, error: Exception, union: Any, sender: str) -> BadMessage:
    """The BadMessage for a line that a decoder of `union` refused with `error`."""
    known = {str(message.__struct_config__.tag): message for message in get_args(union)}
    try:
        if not isinstance(error, msgspec.ValidationError):
            raise error
        kind = msgspec.json.decode(line, type=_Envelope).type
    except msgspec.ValidationError:
        return _bad("no_type", "a message is a JSON object with a `type`, and this is none", line)
    except (msgspec.DecodeError, RecursionError) as broken:
        return _bad("not_json", _json_fault(line, broken), line)
    if not isinstance(kind, str):
        return _bad("no_type", "a message names itself in the text field `type`, and this one doesn't", line)
    if kind not in known:
        return _bad("unknown_type", f"{sender} sends {', '.join(sorted(known))}, not {excerpt(kind)!r}", line)
    return _bad("bad_field", f"`{kind}`: {_field_fault(known[kind], str(error))}", line)


def _bad(code: BadMessageCode, fault: str, line: bytes) -> BadMessage:
    return BadMessage(code, f"{fault}. The line begins: {excerpt(line)}")


def _json_fault(line: bytes, error: Exception) -> str:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as undecodable:
        return f"a line is UTF-8, and this one isn't at byte {undecodable.start}"
    if isinstance(error, RecursionError):
        return "the JSON is nested too deeply"
    if line.startswith(BOM_UTF8):
        return "a line begins with {, and this one with a byte order mark (EF BB BF)"
    return f"a line is one JSON object, and this is not JSON: {error}"


def _field_fault(message: type[Message], fault: str) -> str:
    """Which field is wrong and what would be right, from the words of msgspec."""
    if missing := re.match(r"Object missing required field `(\w+)`(?: - at `\$\.(.+)`)?$", fault):
        name, parent = missing.groups()
        return f"the field `{parent + '.' if parent else ''}{name}` is missing"
    what, _, path = fault.rpartition(" - at `$.")
    field = path.rstrip("`")
    if field == "type":  # the decoder went by the first, and this reason is about the last
        return "the field `type` is there twice"
    choices = _choices(get_type_hints(message).get(re.split(r"\W", field)[0]))
    one_of = f"; right would be {', '.join(choices)}" if choices and "enum" in what else ""
    return f"the field `{field}` is wrong: {what[:1].lower()}{what[1:]}{one_of}"


def _choices(hint: Any) -> list[str]:
    """The words that a field's type allows, where it allows certain words only."""
    if get_origin(hint) is Literal:
        return [str(word) for word in get_args(hint)]
    return [word for part in get_args(hint) for word in _choices(part)]
