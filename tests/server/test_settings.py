"""The configuration file."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from mexica_cli.games.tomlfile import FieldError, FileError
from mexica_cli.server.settings import LimitsEntry, ServerFile, Settings, TableEntry, make_table, read_settings


def settings(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "server.toml"
    path.write_text(text)
    return read_settings(path)


def test_an_empty_file_is_a_server_on_this_machine(tmp_path: Path) -> None:
    found = settings(tmp_path, "")
    assert (found.host, found.port, found.tokens, found.tls, found.tables) == ("127.0.0.1", 7325, None, None, {})
    assert found.data == tmp_path / "mexica-server"
    assert found.rules.handshake == 10.0


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    found = settings(
        tmp_path,
        """
        host = "0.0.0.0"
        port = 7000
        data = "games"
        tokens = "tokens.txt"
        tls_cert = "cert.pem"
        tls_key = "/etc/key.pem"
        may_open = ["ann"]

        [limits]
        connections = 10
        idle = "90s"

        [[tables]]
        name = "duel"
        matches = 4
        time = "60+0.5"
        join = ["ann", "bob"]

        [[tables]]
        name = "ladder"
        kind = "ladder"
        players = 3
        move_time = "500ms"
        bench = "1m"
        """,
    )
    assert found.tls == (tmp_path / "cert.pem", Path("/etc/key.pem"))
    assert found.tokens == tmp_path / "tokens.txt"
    assert (found.rules.connections, found.rules.idle) == (10, 90.0)
    duel, ladder = found.tables.values()
    assert (duel.control.move, duel.control.bank, duel.control.increment) == (None, 60.0, 0.5)
    assert ladder.control.move == 0.5
    assert ladder.entry.players == 3
    assert found.lets_open("ann")
    assert not found.lets_open("bob")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("prot = 1", r"server.toml:1: prot: there is no such field; did you mean port\?"),
        ("port = 70000", "server.toml:1: port: .*65535"),
        ("[limits]\nidle = 5", 'server.toml:2: limits.idle: .*a time in quotes, like "2s"'),
        ('[limits]\nidle = "soon"', "server.toml:2: limits.idle: 'soon' is no time"),
        ('[limits]\nhandshake = "0"', "server.toml:2: limits.handshake: a time of 0"),
        ('tls_cert = "a"', "tls_key: certificate and key go together"),
        ("[[tables]]\nkind = 1", r"server.toml:1: tables\[0\].name: this field is missing"),
        ('[[tables]]\nname = "a/b"', r"server.toml:2: tables\[0\].name: 'a/b' is no name"),
        ('[[tables]]\nname = ".."', r"server.toml:2: tables\[0\].name: '..' is no name"),
        ('[[tables]]\nname = "a"\n[[tables]]\nname = "a"', r"server.toml:4: tables\[1\].name: two tables"),
        ('[[tables]]\nname = "a"\ngame = "go"', r"server.toml:3: tables\[0\].game: there is no game 'go'"),
        ('[[tables]]\nname = "a"\nplayers = 5', r"server.toml:3: tables\[0\].players: mexica has 2 to 4 seats"),
        ('[[tables]]\nname = "a"\nrules = "odd"', r"server.toml:3: tables\[0\].rules: .*odd"),
        ('[[tables]]\nname = "a"\ntime = "0"', r"server.toml:3: tables\[0\].time: a bank of 0"),
        ('[[tables]]\nname = "a"\nbench = "1m"', r"tables\[0\].bench: this is for tables of the kind 'ladder'"),
        (
            '[[tables]]\nname = "a"\nkind = "ladder"\nmatches = 3',
            r"tables\[0\].matches: this is for tables of the kind",
        ),
        ('[[tables]]\nname = "a"\nkind = "ladder"\ngame = "moctezuma"\nplayers = 3', "tables.0..kind: a ladder needs"),
        ("tables = [1]", r"tables\[0\]: write a table here"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(FileError, match=reason):
        settings(tmp_path, text)


def test_a_client_names_no_files_of_the_server(tmp_path: Path) -> None:
    rules = settings(tmp_path, "").rules
    (tmp_path / "own.toml").write_text("")
    for field, value in (("rules", "own.toml"), ("rules", "../own"), ("board", "/etc/passwd")):
        entry = msgspec.structs.replace(TableEntry(name="a"), **{field: value})
        with pytest.raises(FieldError, match="a path can't be given here"):
            make_table(entry, rules, (), None)


def test_every_limit_has_its_place_in_the_documentation(root: Path) -> None:
    text = (root / "docs" / "SERVER.md").read_text()
    fields = [field.name for kind in (ServerFile, LimitsEntry, TableEntry) for field in msgspec.structs.fields(kind)]
    assert [name for name in fields if f"| `{name}` |" not in text] == []


def test_the_example_can_be_used(root: Path) -> None:
    found = read_settings(root / "examples" / "server.toml")
    assert {table.entry.kind for table in found.tables.values()} == {"matches", "ladder"}
