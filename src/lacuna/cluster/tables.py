"""The tables of a corpus that workers have written: committed, indexed and counted on a cluster."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from lacuna.cluster.built_part import (
    TEXT,
    BuildingItem,
    BuiltPart,
    CountTerms,
    IndexColumn,
    index_name,
)
from lacuna.cluster.crew import Crew
from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.new_rows import TermCounts
from lacuna.corpus.lance.publish import DELETED_AT_ONCE
from lacuna.corpus.lance.tables import (
    DOCUMENTS,
    INDEXES,
    PASSAGES,
    SCHEMAS,
    Tables,
    any_of,
)
from lacuna.errors import LacunaError

MOST_FILES_COUNTED = 8
"""Files whose terms a worker counts at once: the more, the fewer counts this machine adds up."""
TURNS = 4
"""Of each worker at least, so that none waits long for the last one."""


def commit_parts(tables: Tables, name: str, parts: Sequence[BuiltPart]) -> Any:
    """Make a table of the files that workers have written, in the order of the parts."""
    import lance
    from lance.fragment import FragmentMetadata

    files = [file for part in parts for file in part.files[name]]
    newest = tables.newest(name)
    with telling_failures(tables.address, "written"):
        return lance.LanceDataset.commit(
            tables.where(name),
            lance.LanceOperation.Overwrite(
                SCHEMAS[name], [FragmentMetadata.from_json(json.dumps(file)) for file in files]
            ),
            read_version=None if newest is None else newest.version,
        )


def without(tables: Tables, gone: Sequence[int], counts: TermCounts) -> TermCounts:
    """Delete documents whose titles others took; what is left of the counts."""
    left = list(counts)
    with telling_failures(tables.address, "written"):
        for start in range(0, len(gone), DELETED_AT_ONCE):
            some = gone[start : start + DELETED_AT_ONCE]
            passages = tables.open(PASSAGES)
            columns = ["title_terms", "heading_terms", "words"]
            for row in passages.to_table(
                columns=columns, filter=any_of("document", some)
            ).to_pylist():
                title, heading = row["title_terms"], row["heading_terms"]
                body = len(row["words"].split()) - title - heading
                left = [
                    one - other for one, other in zip(left, (1, title, heading, body), strict=True)
                ]
            passages.delete(any_of("document", some))
            tables.open(DOCUMENTS).delete(any_of("id", some))
    return TermCounts(*left)


def index_tables(crew: Crew[BuildingItem, Any], tables: Tables, workers: int) -> dict[str, Any]:
    """All indexes of documents and passages; that of the texts in as many parts as workers."""
    items: list[IndexColumn] = []
    for name in (DOCUMENTS, PASSAGES):
        found = tables.open(name)
        if not found.count_rows():
            continue  # a table without rows is left out
        files = [each.fragment_id for each in found.get_fragments()]
        for column, kind in INDEXES[name]:
            parts = min(workers, len(files)) if kind == TEXT else 1
            items += (
                IndexColumn(name, found.version, column, kind, tuple(files[part::parts]))
                for part in range(parts)
            )
    items.sort(key=lambda item: item.kind != TEXT)  # what takes longest is begun first
    made: dict[tuple[str, str], list[Any]] = {}
    for finished in crew.run(items):
        if finished.result is None:
            raise LacunaError(f"The corpus could not be indexed: {finished.reason}.")
        item = items[finished.number]
        made.setdefault((item.table, item.column), []).append(finished.result)
    with telling_failures(tables.address, "written"):
        for (name, column), segments in made.items():
            tables.open(name).commit_existing_index_segments(index_name(column), column, segments)
    return {name: tables.open(name) for name, _ in made}


def term_counts(crew: Crew[BuildingItem, Any], tables: Tables, workers: int) -> Counter[str]:
    """How many passages have each term."""
    table = tables.open(PASSAGES)
    files = [each.fragment_id for each in table.get_fragments()]
    at_once = max(1, min(MOST_FILES_COUNTED, len(files) // (TURNS * workers)))
    items = (
        CountTerms(table.version, tuple(files[start : start + at_once]))
        for start in range(0, len(files), at_once)
    )
    counts: Counter[str] = Counter()
    for finished in crew.run(items):
        if finished.result is None:
            raise LacunaError(f"The terms of the passages were not counted: {finished.reason}.")
        counts.update(finished.result)
    return counts
