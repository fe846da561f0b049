"""A corpus at an address as it was published once: nothing in it ever changes."""

from __future__ import annotations

import json
import re
import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from itertools import islice
from secrets import token_hex
from typing import TYPE_CHECKING, Any, NamedTuple

import lance
import pyarrow as pa
from lance.commit import CommitConflictError

from lacuna.corpus.database import unpack
from lacuna.corpus.titles import closest, folded, is_valid
from lacuna.errors import LacunaError
from lacuna.files.cache import StoreBusyError
from lacuna_scale.lance.tables import (
    DOCUMENTS,
    PASSAGES,
    REDIRECTS,
    TERMS,
    PassageEntry,
    Tables,
    any_of,
    telling_failures,
    unpack_entry,
)

if TYPE_CHECKING:
    from lacuna_scale.lance.search import NearCopy


NAME = "corpus"
FORMAT = 2
"""2: passages have the numbers of their terms."""
KEY = b"lacuna"
SCHEMA = pa.schema([("nothing", pa.int64())])
CONFLICT = re.compile("commit conflict|already exists|/0.manifest was not found", re.IGNORECASE)
"""Lance's messages that somebody was quicker; the last, where there was nothing before."""
KEPT = timedelta(days=1)
"""Versions that are older may be deleted: no reader stays on one for so long."""
STAYING = 30
"""Versions of a table that stay however old they seem: the clock of a writer may be wrong. A
generation makes two to six of them."""


@dataclass(frozen=True, slots=True)
class State:
    """The published state, and the present writer."""

    format: int = FORMAT
    generation: int = 0
    token: str = ""
    tables: dict[str, int] = field(default_factory=dict)
    """The version of each table; one without rows is not named."""
    counts: dict[str, int] = field(default_factory=dict)
    sources: list[list[Any]] = field(default_factory=list)
    """The fields of ``SourceInfo``."""
    writer: str = ""
    """The writer: a random word, and a machine and process for people; empty for nobody."""
    beats: int = 0
    """Rises while the writer is alive."""

    @property
    def is_published(self) -> bool:
        """True if there is a corpus; before, a first writer is at work or was stopped."""
        return bool(self.token)


class StateTable:
    """Reads and commits the state of a corpus."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.version = 0

    def read(self) -> State | None:
        """The newest state; None if nothing was ever written there."""
        found = self._tables.newest(NAME)
        if found is None:
            self.version = 0
            return None
        with telling_failures(self._tables.address):
            fields = json.loads((found.schema.metadata or {})[KEY])
            self.version = found.version
        if fields["format"] > FORMAT:
            raise LacunaError(
                f"{self._tables.address} was written by a newer version of Lacuna. Update Lacuna."
            )
        if fields["format"] < FORMAT:
            raise LacunaError(
                f"{self._tables.address} was written by an early version of Lacuna, which is not "
                "read any more. Index its sources again into a new place."
            )
        return State(**fields)

    def commit(self, state: State) -> None:
        """Make a state the newest one, unless another writer was quicker."""
        schema = SCHEMA.with_metadata({KEY: json.dumps(asdict(state)).encode()})
        with telling_failures(self._tables.address, "written"):
            try:
                made = lance.LanceDataset.commit(
                    self._tables.where(NAME),
                    lance.LanceOperation.Overwrite(schema, []),
                    read_version=self.version,
                    max_retries=0,
                )
            except (OSError, ValueError, CommitConflictError) as error:
                if CONFLICT.search(str(error)):
                    raise self.overtaken() from None
                raise
        if made.version != self.version + 1:
            raise self.overtaken()
        self.version = made.version

    def overtaken(self) -> StoreBusyError:
        """The error of a writer that came second."""
        return StoreBusyError(
            f"{self._tables.address} was written by another process meanwhile, whose corpus is the "
            "one that is kept. Run this again to add to it; what was read so far is not lost."
        )


def published(state: State, tables: dict[str, int], counts: dict[str, int], sources: Any) -> State:
    """The state after a writer's work."""
    return replace(
        state,
        generation=state.generation + 1,
        token=token_hex(8),
        tables=tables,
        counts=counts,
        sources=sources,
        writer="",
    )


class OpenTables:
    """Opening begins at once, and only who asks for a table waits for it."""

    def __init__(self, tables: Tables, state: State, first: Iterable[str]) -> None:
        self._tables = tables
        self._versions = state.tables
        self._found: dict[str, Future[Any]] = {}
        self._lock = threading.Lock()
        names = [name for name in first if name in state.tables]
        pool = ThreadPoolExecutor(max(1, len(names)), "opening")
        for name in names:
            self._found[name] = pool.submit(tables.open, name, state.tables[name])
        pool.shutdown(wait=False)

    def __getitem__(self, name: str) -> Any:
        with self._lock:
            waited = self._found.get(name)
        try:
            if waited is not None:
                return waited.result()
        except BaseException:
            with self._lock:
                self._found.pop(name, None)  # the next one tries again
            raise
        opened: Future[Any] = Future()
        opened.set_result(found := self._tables.open(name, self._versions[name]))
        with self._lock:
            self._found[name] = opened
        return found

    def wait(self) -> None:
        """Until all that was begun is open; fails where something cannot be."""
        for name in list(self._found):
            self[name]


ENTRIES_KEPT = 50_000
"""Passages that stay in memory, about a kilobyte each: fetching a hundred takes half of a search,
and a search over an object store one request less."""


class Entries:
    """Several threads may share them: at worst something is fetched twice."""

    def __init__(self, at: Snapshot) -> None:
        self._at = at
        self._lock = threading.Lock()
        self._kept: dict[int, PassageEntry] = {}
        self.documents: dict[str, int] = {}
        """The numbers of the documents that they stand in, by their titles."""
        self.near: NearCopy | None = None
        self._times = 0

    def of(self, rows: Sequence[int]) -> list[PassageEntry]:
        """The passages in some rows."""
        if self.near is not None:
            found = dict(zip(rows, self.near.of(rows), strict=True))
            self._note(found)
        else:
            kept = self._kept
            found = {row: entry for row in rows if (entry := kept.get(row)) is not None}
            if missing := sorted(row for row in rows if row not in found):
                entries = map(unpack_entry, self.column("entry", missing))
                fetched = dict(zip(missing, entries, strict=True))
                found |= fetched
                self._keep(fetched)
        return [found[row] for row in rows]

    def is_asked_often(self, times: int) -> bool:
        """True once, when this was called more often than so many times."""
        with self._lock:
            self._times += 1
            return self._times == times + 1

    def _keep(self, fetched: dict[int, PassageEntry]) -> None:
        with self._lock:
            if len(self._kept) + len(fetched) > ENTRIES_KEPT:  # the older half goes
                self._kept = dict(islice(self._kept.items(), len(self._kept) // 2, None))
            self._kept.update(fetched)
        self._note(fetched)

    def _note(self, found: dict[int, PassageEntry]) -> None:
        if len(self.documents) > ENTRIES_KEPT:
            self.documents = {}
        self.documents.update((entry.title, entry.document) for entry in found.values())

    def column(self, name: str, rows: Sequence[int]) -> list[Any]:
        """The values of one column in some rows, which ascend."""
        with telling_failures(self._at.address):
            # Lance's own numbers of rows are what a search gives; take() counts them otherwise.
            found = self._at.table(PASSAGES)._take_rows(list(rows), columns=[name])
        values: list[Any] = found[name].to_pylist()
        return values


READ_WHOLE = 2_000_000
"""Terms of a table that is read once, some 15 bytes each: looking each up takes milliseconds."""


class TermFrequencies:
    """Looks terms up in the table of terms, which is in their order."""

    def __init__(self, at: Snapshot) -> None:
        self._at = at
        self._known: dict[str, int] = {}
        self._whole: tuple[Any, Any] | None = None
        self._lock = threading.Lock()

    def of(self, terms: Sequence[str]) -> list[int]:
        """0 for a term that no passage has."""
        known = self._known
        if new := [term for term in terms if term not in known]:
            known.update(zip(new, self._look_up(new), strict=True))
        return [known[term] for term in terms]

    def read(self) -> None:
        """Have the table in memory, if it is not too large for that."""
        with self._lock, telling_failures(self._at.address):
            if self._whole is None and TERMS in self._at.state.tables:
                table = self._at.table(TERMS)
                if table.count_rows() <= READ_WHOLE:
                    found = table.to_table(columns=["term", "passages"]).combine_chunks()
                    self._whole = found["term"].chunk(0), found["passages"].chunk(0)

    def some_term(self) -> str:
        """Any term that a passage has, if that is known without a look."""
        return "" if self._whole is None else str(self._whole[0][0].as_py())

    def _look_up(self, terms: Sequence[str]) -> list[int]:
        self.read()
        if self._whole is None:
            rows = self._at.rows(TERMS, ("term", "passages"), any_of("term", terms))
            found = dict(rows)
            return [found.get(term, 0) for term in terms]
        return [self._count(term, *self._whole) for term in terms]

    @staticmethod
    def _count(term: str, ordered: Any, passages: Any) -> int:
        place = bisect_left(range(len(ordered)), term, key=lambda number: ordered[number].as_py())
        if place == len(ordered) or ordered[place].as_py() != term:
            return 0
        count: int = passages[place].as_py()
        return count


USED_AT_ONCE = (DOCUMENTS, PASSAGES, REDIRECTS, TERMS, "sources")
REMEMBERED = 50_000
"""Folded titles whose rows stay in memory, those looked up last."""
ASKED_AT_ONCE = 1000


class Named(NamedTuple):
    """The documents and redirects of a folded title: documents (number, title) and redirects
    (title, target)."""

    documents: list[tuple[int, str]]
    redirects: list[tuple[str, str]]


class Snapshot:
    """The tables of one generation, and what was looked up in them."""

    def __init__(self, tables: Tables, state: State) -> None:
        self.state = state
        self.address = tables.address
        self._tables = tables
        self._open = OpenTables(tables, state, USED_AT_ONCE)
        self._named: OrderedDict[str, Named] = OrderedDict()
        self._roots: dict[int, bytes] | None = None
        self._lock = threading.Lock()
        self._is_warm = False
        self.frequencies = TermFrequencies(self)
        self.entries = Entries(self)

    def table(self, name: str) -> Any:
        """A table at its version."""
        return self._open[name]

    def wait(self) -> None:
        """Until the tables that every reader uses are open."""
        self._open.wait()

    def begin_warming(self) -> bool:
        """Tell if nobody has asked for the parts that all need, before this call."""
        with self._lock:
            before, self._is_warm = self._is_warm, True
        return not before

    def rows(
        self, name: str, columns: Sequence[str], chosen: str | None = None, **options: Any
    ) -> Iterator[tuple[Any, ...]]:
        """Rows of a table in the order they were added, a few at a time."""
        if name not in self.state.tables:
            return
        with telling_failures(self._tables.address):
            scanned = self.table(name).to_batches(
                columns=list(columns), filter=chosen, scan_in_order=True, **options
            )
            for batch in scanned:
                yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def resolve(self, title: str) -> tuple[int, str] | None:
        """The document that is meant: its number and its title (``Store.resolve``)."""
        if (found := self.entries.documents.get(title)) is not None:
            return found, title  # what has just this title goes before all else
        return resolve_named(title, lambda name: self.named([folded(name)])[folded(name)])

    def named(self, folds: Iterable[str]) -> dict[str, Named]:
        """The documents and redirects of each of these folded titles."""
        asked = list(dict.fromkeys(folds))
        with self._lock:
            known = {fold: self._named[fold] for fold in asked if fold in self._named}
        new = [fold for fold in asked if fold not in known]
        for start in range(0, len(new), ASKED_AT_ONCE):
            known |= self._look_up(new[start : start + ASKED_AT_ONCE])
        with self._lock:
            for fold in asked:
                self._named[fold] = known[fold]
                self._named.move_to_end(fold)
            while len(self._named) > REMEMBERED:
                self._named.popitem(last=False)
        return known

    def _look_up(self, folds: list[str]) -> dict[str, Named]:
        chosen = any_of("folded", folds)
        found = {fold: Named([], []) for fold in folds}
        with ThreadPoolExecutor(2) as pool:
            documents = pool.submit(
                lambda: list(self.rows(DOCUMENTS, ("folded", "id", "title"), chosen))
            )
            redirects = pool.submit(
                lambda: list(self.rows(REDIRECTS, ("folded", "title", "target"), chosen))
            )
            for fold, number, title in documents.result():
                found[fold].documents.append((number, title))
            for fold, title, target in redirects.result():
                found[fold].redirects.append((title, target))
        for named in found.values():
            named.documents.sort()
            named.redirects.sort()
        return found

    def root(self, source: int) -> bytes | str | None:
        """The path of a source, as the database of an embedded store has it."""
        if self._roots is None:
            rows = self.rows("sources", ("id", "root", "is_text"))
            self._roots = {
                number: root.decode() if is_text else root for number, root, is_text in rows
            }
        return self._roots.get(source)

    def texts(self, numbers: Iterable[int]) -> dict[int, str]:
        """The texts of documents."""
        rows = self.rows(DOCUMENTS, ("id", "title", "body"), any_of("id", numbers))
        return {number: unpack(title, body).text for number, title, body in rows}


def resolve_named(title: str, named: Callable[[str], Named]) -> tuple[int, str] | None:
    """The document that a title means; ``named`` says what is called like it.

    The same title goes first, then a redirect of it, then what is written alike.
    """
    seen: set[str] = set()
    while title not in seen and is_valid(title):
        seen.add(title)
        documents, redirects = named(title)
        for document in documents:
            if document[1] == title:
                return document
        target = next((target for name, target in redirects if name == title), None)
        if target is None and documents:
            return documents[closest(title, [name for _, name in documents])]
        if target is None and redirects:
            target = redirects[closest(title, [name for name, _ in redirects])][1]
        if target is None:
            return None
        title = target
    return None
