"""A new corpus at an address, built by all machines of a cluster.

Workers read parts of the sources and write their rows; what each part gave is noted here, so that a
stopped run goes on with the parts that are missing. In the end titles and redirects are resolved,
the tables are committed and indexed, and all of it becomes visible at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import msgspec

from lacuna.cluster.built_part import RUN, BuildingItem, BuildingJob, BuiltPart, NumberedPart
from lacuna.cluster.connection import Cluster
from lacuna.cluster.crew import Crew
from lacuna.cluster.merged_parts import MergedParts
from lacuna.cluster.tables import commit_parts, index_tables, term_counts, without
from lacuna.corpus.at_place import is_corpus
from lacuna.corpus.formats.detect import detect_source
from lacuna.corpus.formats.document_format import DocumentFormat
from lacuna.corpus.formats.dumps.parts import has_parts, parts_of, size_on_disk, split_of
from lacuna.corpus.lance.claim import Claim
from lacuna.corpus.lance.lance_store import LanceStore, local_folder
from lacuna.corpus.lance.new_rows import TermCounts
from lacuna.corpus.lance.publish import size_of, write_anew
from lacuna.corpus.lance.rows import COUNTED
from lacuna.corpus.lance.state import StateTable
from lacuna.corpus.lance.tables import DOCUMENTS, PASSAGES, REDIRECTS, TERMS, Tables
from lacuna.corpus.lock import only_writer
from lacuna.corpus.refresh import source_state
from lacuna.corpus.source_rows import root_of, root_text
from lacuna.corpus.writer import Added
from lacuna.errors import LacunaError
from lacuna.files.cache import make_in_cache
from lacuna.files.checked_lines import open_after, whole_lines, write_line
from lacuna.version import __version__

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
        with Crew(cluster, BuildingJob(store.address), depth=2) as crew:
            _build(crew, sources, journal, progress, claim)
            merged = MergedParts(journal.parts)
            ordered = sorted(journal.parts, key=lambda part: part.number)
            for name in (DOCUMENTS, PASSAGES):
                commit_parts(store.tables, name, ordered)
            counts = without(store.tables, merged.gone, merged.counts)
            workers = max(1, cluster.places(cpus=1, gpus=0))
            terms = term_counts(crew, store.tables, workers)
            claim.check()
            made = index_tables(crew, store.tables, workers)
        _publish(store.tables, sources, merged, terms, counts, made, claim)
        journal.remove()
    store.look()
    return [merged.summary(source.number) for source in sources]


class _Journal:
    """What the parts gave that are done."""

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
    crew: Crew[BuildingItem, Any],
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

    for finished in crew.run(waiting(), ahead=AHEAD):
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
