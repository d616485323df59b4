"""Tables of logs as files in a folder."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from mexica_cli.analysis.database import Database
from mexica_cli.analysis.rows import Rows
from mexica_cli.analysis.tables import csv_path, csv_tables
from mexica_cli.analysis.walk import Reading, walk_logs


def export(paths: Sequence[str], folder: Path, tables: Collection[str], *, parquet: bool) -> tuple[Reading, list[Path]]:
    """Write `TABLE.csv` or `TABLE.parquet` for each of the tables into the folder, which is made if it isn't there.

    The files take their place, perhaps that of earlier ones, once all are written. Returns what was read, and the
    files. Raises LogError, OSError, DatabaseError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".export-", dir=folder) as name:
        scratch = Path(name)
        database = Database(scratch) if parquet else None
        with csv_tables(scratch, tables) as write:
            reading = walk_logs(paths, Rows(tables, write))
        made = [csv_path(scratch, table) for table in tables]
        if database is not None:
            with database:
                made = [_as_parquet(database, file) for file in made]
        return reading, [file.replace(folder / file.name) for file in made]


def _as_parquet(database: Database, source: Path) -> Path:
    """The CSV file as a Parquet file in its place."""
    target = source.with_suffix(".parquet")
    database.to_parquet(source.stem, source, target)
    source.unlink()
    return target
