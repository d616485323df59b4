"""The ladders' books in SQLite."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from server.results import result
from structlog.testing import capture_logs

from mexica_cli.server.book import Book
from mexica_cli.server.index import Index


def played() -> Book:
    book = Book(2)
    book.enter(["ann", "bob"], result(1, 2))
    book.enter(["cyd", "ann"], result(1, 1))
    book.enter(["bob", "ann"], result(1, 2, faults=(1,), outcome="forfeit"))
    return book


def test_a_book_comes_back_as_it_was(tmp_path: Path) -> None:
    book = played()
    index = Index(tmp_path / "index.sqlite")
    index.replace("main", book, {"ann": 1234.5}, 3)
    index.replace("other", Book(3), {}, 0)
    index.close()
    index = Index(tmp_path / "index.sqlite")
    again, benches, counted = index.load("main", 2)
    assert again.entries == book.entries
    assert again.meetings == book.meetings
    assert (benches["ann"], benches["bob"], counted) == (1234.5, 0.0, 3)
    assert index.load("other", 3)[2] == 0
    index.close()


async def test_an_update_writes_what_a_match_has_changed(tmp_path: Path) -> None:
    index, book = Index(tmp_path / "index.sqlite"), Book(2)
    for number, seats in enumerate((["ann", "bob"], ["bob", "cyd"], ["bob", "ann"]), 1):
        book.enter(seats, result(2, 1))
        await index.update("main", book, seats, {"cyd": 9.0}, number)
    again, benches, counted = index.load("main", 2)
    assert (again.entries, again.meetings, benches["cyd"], counted) == (book.entries, book.meetings, 9.0, 3)
    index.close()


@pytest.mark.parametrize("content", [b"this is no database, whatever it is called", None])
def test_a_file_that_cannot_be_used_is_made_anew(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "index.sqlite"
    if content is None:
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA user_version = 99")
        db.close()
    else:
        path.write_bytes(content)
    with capture_logs() as logs:
        index = Index(path)
    assert [entry["log_level"] for entry in logs] == ["warning"]
    assert index.load("main", 2)[2] == 0
    index.close()


def test_others_may_read_meanwhile(tmp_path: Path) -> None:
    index = Index(tmp_path / "index.sqlite")
    index.replace("main", played(), {}, 3)
    reader = sqlite3.connect(tmp_path / "index.sqlite")
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM bots").fetchone() == (3,)
    index.replace("main", played(), {}, 4)
    reader.close()
    index.close()
