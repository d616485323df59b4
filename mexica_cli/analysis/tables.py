"""Tables as CSV files: a line of column names, then a line a row; null is empty."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from mexica_cli.analysis.columns import TABLES
from mexica_cli.analysis.rows import Row, Write

BUFFER_BYTES = 1 << 17


def csv_path(folder: Path, table: str) -> Path:
    """Where a table is."""
    return folder / f"{table}.csv"


@contextmanager
def csv_tables(folder: Path, tables: Collection[str]) -> Iterator[Write]:
    """Writes rows to files in the folder, one a table, which are made with their headings. Raises OSError."""
    with ExitStack() as files:
        writers = {}
        for table in tables:
            path = csv_path(folder, table)
            file = files.enter_context(path.open("w", buffering=BUFFER_BYTES, encoding="utf-8", newline=""))
            writers[table] = csv.writer(file, lineterminator="\n")
            writers[table].writerow(column.name for column in TABLES[table])

        def write(table: str, rows: Sequence[Row]) -> None:
            writers[table].writerows(rows)

        yield write
