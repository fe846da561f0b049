"""Parquet files with a title and a text in each row, as datasets of wikis and crawls come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lacuna.corpus.formats.dumps.jsonl import document_of_line, item_of_line
from lacuna.corpus.formats.packed import HowFar, nobody_asks
from lacuna.corpus.source_item import SourceItem
from lacuna.errors import LacunaError
from lacuna.files.json_stream import RawItem

MAGIC = b"PAR1"
AT_ONCE = 256
"""Rows that are decoded together."""


@dataclass(frozen=True, slots=True)
class ParquetRows:
    """Rows of a file as Arrow writes them to a stream; ``first`` is the number of the first."""

    file: str
    first: int
    data: bytes


def read_parquet(path: Path) -> Iterator[SourceItem]:
    """One document a row: columns ``title``, ``text`` and perhaps ``links``; others are kept."""
    first = 1
    for batch in _batches(path):
        yield from _items(path.name, first, batch)
        first += batch.num_rows


def rows_of(path: Path, wanted: int, how_far: HowFar = nobody_asks) -> Iterator[ParquetRows]:
    """All rows of a file, row group by row group, so many together that they have such a size."""
    waiting: list[Any] = []
    first, size = 1, 0
    for batch in _batches(path, how_far):
        waiting.append(batch)
        size += batch.nbytes
        if size >= wanted:
            yield _packed(path.name, first, waiting)
            first += sum(each.num_rows for each in waiting)
            waiting, size = [], 0
    if waiting:
        yield _packed(path.name, first, waiting)


def items_of_rows(part: ParquetRows) -> Iterator[SourceItem]:
    """What some rows hold."""
    import pyarrow as pa

    first = part.first
    for batch in pa.ipc.open_stream(part.data):
        yield from _items(part.file, first, batch)
        first += batch.num_rows


def _items(file: str, first: int, batch: Any) -> Iterator[SourceItem]:
    for number, row in enumerate(batch.to_pylist(), first):
        value = json.loads(json.dumps(row, default=str))  # dates and the like are kept as texts
        yield item_of_line(file, RawItem(number, value), document_of_line, "row")


def _packed(file: str, first: int, batches: list[Any]) -> ParquetRows:
    import pyarrow as pa

    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, batches[0].schema) as stream:
        for batch in batches:
            stream.write_batch(batch)
    return ParquetRows(file, first, out.getvalue().to_pybytes())


def _batches(path: Path, how_far: HowFar = nobody_asks) -> Iterator[Any]:
    with _telling(path):
        import pyarrow.parquet as pq

        with pq.ParquetFile(path) as file:
            if missing := {"title", "text"} - set(file.schema_arrow.names):
                raise LacunaError(
                    f"{path} has no column {min(missing)!r}: a row must have a title and a text. "
                    f"Its columns are {', '.join(file.schema_arrow.names[:20])}."
                )
            size, rows = path.stat().st_size, 0
            for group in range(file.num_row_groups):
                for batch in file.iter_batches(AT_ONCE, row_groups=[group]):
                    rows += batch.num_rows
                    how_far(size * rows // file.metadata.num_rows)
                    yield batch


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise LacunaError(
            "Parquet files need pyarrow, which is not installed: pip install 'lacuna-qa[scale]'"
        ) from error
    except (OSError, ValueError) as error:  # pyarrow's errors are kinds of these
        first = str(error).partition("\n")[0]
        raise LacunaError(
            f"{path} cannot be read as Parquet ({first}); it is cut off or damaged. Get it again; "
            "what was committed before is safe."
        ) from error
