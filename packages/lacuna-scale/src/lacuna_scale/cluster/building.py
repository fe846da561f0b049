"""A new corpus at an address, built by all machines of a cluster."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from lacuna.corpus.database import root_of, root_text
from lacuna.corpus.formats.base import DocumentFormat
from lacuna.corpus.formats.detect import detect_source
from lacuna.corpus.formats.dumps import (
    DumpPart,
    has_parts,
    items_of,
    parts_of,
    size_on_disk,
    split_of,
)
from lacuna.corpus.refresh import source_state
from lacuna.corpus.store import Redirect, Skipped, is_corpus
from lacuna.corpus.text_index import Analyzer, valid
from lacuna.corpus.titles import folded, is_valid
from lacuna.corpus.writer import Added
from lacuna.errors import LacunaError
from lacuna.files.cache import make_in_cache, only_writer
from lacuna.files.writing import open_after, whole_lines, write_line
from lacuna.types import Document
from lacuna.version import __version__
from lacuna_scale.cluster.connection import Cluster
from lacuna_scale.cluster.workers import WorkerPool
from lacuna_scale.lance.publish import DELETED_AT_ONCE, Claim, size_of, write_anew
from lacuna_scale.lance.snapshot import StateTable
from lacuna_scale.lance.store import LanceStore, local_folder
from lacuna_scale.lance.tables import (
    COUNTED,
    DOCUMENTS,
    INDEXES,
    PASSAGES,
    PLACES,
    REDIRECTS,
    SCHEMAS,
    TERMS,
    TEXT_INDEX,
    NewRows,
    Tables,
    TermCounts,
    any_of,
    batches,
    document_number,
    rows_of,
    telling_failures,
)

RUN = 1
"""A source is read for the first time."""
NOTHING = TermCounts(0, 0, 0, 0)
TEXT = "INVERTED"
"""The kind of index that is worth many machines: others take seconds for millions of rows."""


@dataclass(frozen=True, slots=True)
class NumberedPart:
    """A part of a dump; ``number`` counts the parts of all sources.

    ``share`` is how much of all sources it is.
    """

    number: int
    source: int
    part: DumpPart
    share: float


@dataclass(frozen=True, slots=True)
class BuiltPart:
    """The items of a part, in order, and the files that its rows are in.

    An item is ``[title]`` of a document, ``[place, reason]`` of what was skipped, or ``[title,
    target, fragment]`` of a redirect. ``files`` are Lance's descriptions of the files, by table.
    """

    number: int
    source: int
    items: list[list[str]]
    counts: TermCounts
    files: dict[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class CountTerms:
    """Some files of the passages' table, at a version, whose terms are to be counted."""

    version: int
    fragments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IndexColumn:
    """Some files of a table, at a version, of which a column is to be indexed."""

    table: str
    version: int
    column: str
    kind: str
    fragments: tuple[int, ...]


BuildingItem = NumberedPart | CountTerms | IndexColumn


class _OpenedBuilding:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._analyzer = Analyzer()

    def work(self, item: BuildingItem) -> Any:
        """A ``BuiltPart``, how many passages have each term, or Lance's words on an index."""
        match item:
            case NumberedPart():
                return self._built(item)
            case CountTerms():
                return self._counted(item)
            case IndexColumn():
                return self._indexed(item)

    def _counted(self, item: CountTerms) -> dict[str, int]:
        counts: Counter[str] = Counter()
        with telling_failures(self._tables.address):
            table = self._tables.open(PASSAGES, item.version)
            for fragment in item.fragments:
                for batch in table.get_fragment(fragment).to_batches(columns=["words"]):
                    for words in batch["words"].to_pylist():
                        counts.update(set(words.split()))
        return dict(counts)

    def _indexed(self, item: IndexColumn) -> Any:
        with telling_failures(self._tables.address, "written"):
            return self._tables.open(item.table, item.version).create_index_uncommitted(
                item.column,
                item.kind,
                name=index_name(item.column),
                fragment_ids=list(item.fragments),
                **(TEXT_INDEX if item.kind == TEXT else {}),
            )

    def _built(self, item: NumberedPart) -> BuiltPart:
        rows: list[NewRows] = []
        told: list[list[str]] = []
        for found in items_of(item.part):
            match found:
                case Document() | Redirect() if not is_valid(found.title):
                    told.append([ascii(found.title), "its title is empty or not valid Unicode"])
                case Document():
                    number = document_number(item.number, len(rows))
                    new = rows_of(found, number, item.source, RUN, self._analyzer)
                    rows.append(new)
                    told.append([found.title])
                case Redirect(title, target, fragment):
                    told.append([title, valid(target), valid(fragment)])
                case Skipped(where, reason):
                    told.append([valid(where), valid(reason)])
        files = {
            DOCUMENTS: self._written(DOCUMENTS, [new.document for new in rows]),
            PASSAGES: self._written(PASSAGES, [row for new in rows for row in new.passages]),
        }
        counts = TermCounts(*map(sum, zip(NOTHING, *(new.counts for new in rows), strict=True)))
        return BuiltPart(item.number, item.source, told, counts, files)

    def _written(self, name: str, rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
        from lance.fragment import write_fragments

        if not rows:
            return []
        reader = pa.RecordBatchReader.from_batches(SCHEMAS[name], batches(name, rows))
        with telling_failures(self._tables.address, "written"):
            # Not "create": a run that was killed late, or another writer, may have left a table.
            made = write_fragments(reader, self._tables.where(name), mode="overwrite")
        return [fragment.to_json() for fragment in made]


def index_name(column: str) -> str:
    """The name that Lance gives by itself."""
    return f"{column}_idx"


@dataclass(frozen=True, slots=True)
class BuildingJob:
    """The place to write to."""

    address: str

    @contextmanager
    def open(self) -> Iterator[_OpenedBuilding]:
        """Nothing is read there before it is published."""
        os.environ.setdefault("LANCE_CPU_THREADS", "1")  # as many as the worker has cores
        yield _OpenedBuilding(Tables(self.address))

    def halves(self, item: BuildingItem) -> None:
        """A part is read whole, or not at all."""


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


def index_tables(
    pool: WorkerPool[BuildingItem, Any], tables: Tables, workers: int
) -> dict[str, Any]:
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
    for finished in pool.run(items):
        if finished.result is None:
            raise LacunaError(f"The corpus could not be indexed: {finished.reason}.")
        item = items[finished.number]
        made.setdefault((item.table, item.column), []).append(finished.result)
    with telling_failures(tables.address, "written"):
        for (name, column), segments in made.items():
            tables.open(name).commit_existing_index_segments(index_name(column), column, segments)
    return {name: tables.open(name) for name, _ in made}


def term_counts(pool: WorkerPool[BuildingItem, Any], tables: Tables, workers: int) -> Counter[str]:
    """The number of passages with each term."""
    table = tables.open(PASSAGES)
    files = [each.fragment_id for each in table.get_fragments()]
    at_once = max(1, min(MOST_FILES_COUNTED, len(files) // (TURNS * workers)))
    items = (
        CountTerms(table.version, tuple(files[start : start + at_once]))
        for start in range(0, len(files), at_once)
    )
    counts: Counter[str] = Counter()
    for finished in pool.run(items):
        if finished.result is None:
            raise LacunaError(f"The terms of the passages were not counted: {finished.reason}.")
        counts.update(finished.result)
    return counts


# The parts of all sources put together: titles and redirects are resolved, what is double goes.
#
# The outcome is that of adding everything in order, as ``Writer.add`` does: the last document of a
# title stays, and no redirect takes the place of a document.


RedirectRow = tuple[str, str, str, str, int]
SkippedRow = tuple[int, str, str, str]


class MergedParts:
    """The sums of a corpus when all of its parts are built; ``gone`` are rows to delete."""

    def __init__(self, parts: Iterable[BuiltPart]) -> None:
        self.counts = NOTHING
        self.gone: list[int] = []
        self.added: Counter[int] = Counter()
        self.replaced: Counter[int] = Counter()
        self._numbers: dict[str, int] = {}
        self._redirects: dict[str, tuple[str, str, int]] = {}
        self._redirected: Counter[int] = Counter()
        self._skipped: dict[tuple[int, str], str] = {}
        self._skips: Counter[int] = Counter()
        self._source_of: dict[int, int] = {}
        for part in sorted(parts, key=lambda each: each.number):
            self._take(part)

    def __len__(self) -> int:
        return len(self._numbers)

    def summary(self, source: int) -> Added:
        """The outcome for a source."""
        return Added(
            documents=self.added[source],
            redirects=self._redirected[source],
            skipped=self._skips[source],
            replaced=self.replaced[source],
        )

    def documents_of(self, source: int) -> int:
        """The number of documents of a source in the end."""
        gone = sum(self._source_of[number // PLACES] == source for number in self.gone)
        return self.added[source] - gone

    def skipped_of(self, source: int) -> int:
        """The number of things of a source that gave no document."""
        return sum(each == source for each, _ in self._skipped)

    def redirect_rows(self) -> list[RedirectRow]:
        """The rows of the table of redirects."""
        return [
            (title, folded(title), target, fragment, source)
            for title, (target, fragment, source) in sorted(self._redirects.items())
        ]

    def skipped_rows(self) -> list[SkippedRow]:
        """The rows of the table of what was skipped."""
        ordered = sorted(self._skipped.items())
        return [(source, place, "", reason) for (source, place), reason in ordered]

    def _take(self, part: BuiltPart) -> None:
        self._source_of[part.number] = source = part.source
        pairs = zip(self.counts, part.counts, strict=True)
        self.counts = TermCounts(*(one + other for one, other in pairs))
        place = 0
        for item in part.items:
            match item:
                case [title]:
                    self._put(title, document_number(part.number, place), source)
                    place += 1
                case [title, target, _] if title in self._numbers:
                    reason = f"it would stand for {target!r}, but there is a document of that title"
                    self._skip(title, reason, source)
                case [title, target, fragment]:
                    self._redirects[title] = target, fragment, source
                    self._redirected[source] += 1
                case [where, reason]:
                    self._skip(where, reason, source)

    def _put(self, title: str, number: int, source: int) -> None:
        if (before := self._numbers.get(title)) is not None:
            self.gone.append(before)
            self.replaced[source] += 1
        self._redirects.pop(title, None)
        self._numbers[title] = number
        self.added[source] += 1

    def _skip(self, place: str, reason: str, source: int) -> None:
        self._skipped[source, place] = reason
        self._skips[source] += 1


# A new corpus at an address, built by all machines of a cluster.
#
# Workers read parts of the sources and write their rows; what each part gave is noted here, so
# that a stopped run goes on with the parts that are missing. In the end titles and redirects are
# resolved, the tables are committed and indexed, and all of it becomes visible at once.


JOURNAL = "building.jsonl"
Progress = Callable[[int, float], None]
"""Called with how many documents there are, and how much of the sources that is, from 0 to 1."""
AHEAD = 1000
"""Parts after the first that is not done: with more, the journal would have holes for long."""


@dataclass(frozen=True, slots=True)
class DumpSource:
    """A dump that is to be read, and how; ``number`` counts from 1."""

    number: int
    path: Path
    dump: DocumentFormat
    source_format: str | None = None

    @property
    def state(self) -> str:
        """Changes when the dump does."""
        return source_state(self.path, self.source_format)


def new_dumps(
    store: LanceStore, paths: Iterable[Path], source_format: str | None
) -> list[DumpSource] | None:
    """The sources of a corpus that can be built; None where there is one already, or where some
    are no dumps that have parts."""
    return None if store.state.is_published else dump_sources(paths, source_format)


def dump_sources(paths: Iterable[Path], source_format: str | None) -> list[DumpSource] | None:
    """Sources with how each is read; None where some are no dumps that have parts."""
    sources = []
    for number, path in enumerate(paths, 1):
        dump = None if is_corpus(path) else detect_source(path, source_format).dump
        if dump is None or not has_parts(dump):
            return None
        sources.append(DumpSource(number, path, dump, source_format))
    return sources


def build_corpus(
    cluster: Cluster,
    store: LanceStore,
    sources: Sequence[DumpSource],
    progress: Progress,
) -> list[Added]:
    """Build a corpus where there is none; what became of each source."""
    home = local_folder(store.address)
    make_in_cache(home)
    with only_writer(home), Claim(store.address, StateTable(store.tables)) as claim:
        if claim.state.is_published:
            raise LacunaError(
                f"{store.address} was published by another process meanwhile. Run this again to "
                "add to it."
            )
        if claim.is_first:  # what was noted of another corpus there is gone with it
            (home / JOURNAL).unlink(missing_ok=True)
        journal = _Journal(home / JOURNAL, _about(sources))
        with WorkerPool(cluster, BuildingJob(store.address), depth=2) as pool:
            _build(pool, sources, journal, progress, claim)
            merged = MergedParts(journal.parts)
            ordered = sorted(journal.parts, key=lambda part: part.number)
            for name in (DOCUMENTS, PASSAGES):
                commit_parts(store.tables, name, ordered)
            counts = without(store.tables, merged.gone, merged.counts)
            workers = max(1, cluster.places(cpus=1, gpus=0))
            terms = term_counts(pool, store.tables, workers)
            claim.check()
            made = index_tables(pool, store.tables, workers)
        _publish(store.tables, sources, merged, terms, counts, made, claim)
        journal.remove()
    store.look()
    return [merged.summary(source.number) for source in sources]


class _Journal:
    """The results of the parts that are done."""

    def __init__(self, path: Path, about: Any) -> None:
        self.parts: list[BuiltPart] = []
        self._path = path
        size = self._read(about) if path.is_file() else 0
        self._file = open_after(path, size)
        if not size:
            self.parts = []
            write_line(self._file, about)

    def add(self, part: BuiltPart) -> None:
        """Note a part; that is on the disk when this returns."""
        # Not `asdict`, which copies every title: this process is what many workers wait for.
        write_line(self._file, {each.name: getattr(part, each.name) for each in fields(part)})
        self.parts.append(part)

    def remove(self) -> None:
        """All is published."""
        self._file.close()
        self._path.unlink()

    def _read(self, about: Any) -> int:
        size = 0
        for line, value in whole_lines(self._path):
            if not size:
                if value != about:
                    return 0
            else:
                self.parts.append(msgspec.convert(value, BuiltPart))
            size += len(line)
        return size


def _about(sources: Sequence[DumpSource]) -> Any:
    listed = [
        [root_text(root_of(each.path)), each.dump.name, each.state, split_of(each.path)]
        for each in sources
    ]
    return {"version": __version__, "sources": listed}


def _build(
    pool: WorkerPool[BuildingItem, Any],
    sources: Sequence[DumpSource],
    journal: _Journal,
    progress: Progress,
    claim: Claim,
) -> None:
    done = {part.number for part in journal.parts}
    documents = sum(len(item) == 1 for part in journal.parts for item in part.items)
    share = 0.0

    def waiting() -> Iterator[NumberedPart]:
        nonlocal share
        for part in _numbered(sources):
            if part.number in done:
                share += part.share
            else:
                yield part

    for finished in pool.run(waiting(), ahead=AHEAD):
        claim.check()
        if finished.result is None:
            raise LacunaError(
                f"A part of the sources could not be read ({finished.reason}). What was read so "
                "far is kept: mend the cause, and give the same command again."
            )
        journal.add(finished.result)
        documents += sum(len(item) == 1 for item in finished.result.items)
        assert isinstance(finished.item, NumberedPart)
        share += finished.item.share
        progress(documents, share)


def _numbered(sources: Sequence[DumpSource]) -> Iterator[NumberedPart]:
    sizes = [size_on_disk(source.path) for source in sources]
    whole = max(1, sum(sizes))
    number = place = told = 0

    def how_far(read: int) -> None:
        nonlocal place
        place = before + read

    for source, size in zip(sources, sizes, strict=True):
        before = sum(sizes[: source.number - 1])
        for part in parts_of(source.dump, source.path, how_far):
            yield NumberedPart(number, source.number, part, (place - told) / whole)
            number, told = number + 1, place
        place = before + size


def _publish(
    tables: Tables,
    sources: Sequence[DumpSource],
    merged: MergedParts,
    terms: Counter[str],
    counts: TermCounts,
    made: dict[str, Any],
    claim: Claim,
) -> None:
    """Write the small tables, and make all of them visible."""
    rows: dict[str, Sequence[tuple[Any, ...]]] = {
        TERMS: sorted(terms.items()),
        REDIRECTS: merged.redirect_rows(),
        "skipped": merged.skipped_rows(),
        "sources": [_source_row(source, merged) for source in sources],
    }
    for name, some in rows.items():
        if some:  # a table without rows is left out
            made[name] = write_anew(tables, name, some)
    whole = dict(zip(COUNTED, counts, strict=True)) | {
        "documents": len(merged),
        "redirects": len(rows[REDIRECTS]),
        "skipped": len(rows["skipped"]),
        "bytes": sum(map(size_of, made.values())),
    }
    infos = [
        [root_text(root_of(source.path)), 0, merged.documents_of(source.number),
         merged.skipped_of(source.number), 0, 0, 0]
        for source in sources
    ]  # fmt: skip
    claim.publish({name: found.version for name, found in made.items()}, whole, infos)


def _source_row(source: DumpSource, merged: MergedParts) -> tuple[Any, ...]:
    root = root_of(source.path)
    is_text = isinstance(root, str)
    written = root.encode() if isinstance(root, str) else root
    items = merged.summary(source.number).items
    return source.number, written, is_text, "", source.state, items, RUN, 1
