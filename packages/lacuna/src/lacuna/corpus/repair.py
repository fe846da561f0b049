"""Repair a damaged store, back a store up, and migrate an older one."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from lacuna.corpus import database
from lacuna.corpus import integrity as seal
from lacuna.corpus.check import ARRAYS, check_store
from lacuna.corpus.database import Root, root_text, row_sum, source_sum, sum_name, unpack
from lacuna.corpus.formats.base import format_names
from lacuna.corpus.graph import array_folders
from lacuna.corpus.integrity import FAILS, readable, reason_of
from lacuna.corpus.page_source import unpack_links
from lacuna.corpus.store import Store, is_store
from lacuna.corpus.titles import folded
from lacuna.errors import LacunaError
from lacuna.files.cache import delete_unheld, only_writer
from lacuna.files.checksums import FileSum, read_checksums
from lacuna.types import Document

IN_TABLE = "SELECT id, root FROM sources NOT INDEXED ORDER BY id"
IN_INDEX = "SELECT id, root FROM sources INDEXED BY sqlite_autoindex_sources_1 ORDER BY root"
DETAILS = "SELECT format, run FROM sources NOT INDEXED WHERE id = ?"
SUMS = "SELECT name, value FROM counts ORDER BY name"
MOST_RUNS = 1 << 31


class SavedSources:
    """The sources that can be told for sure; what is lost of the others is noted."""

    def __init__(self, connection: sqlite3.Connection, lost: list[str]) -> None:
        self._connection = connection
        self._lost = lost
        self._unknown: set[int] = set()
        self._runs: dict[int, int] = {}
        self._roots = self._told_roots()

    def known(self, source: int, run: int = 0) -> int:
        """The source of something that was saved, or none where that is lost; ``run`` was one."""
        if source in self._roots:
            self._runs[source] = max(self._runs.get(source, 0), run)
            return source
        if source and source not in self._unknown:
            self._note(source)
        return 0

    def __contains__(self, source: object) -> bool:
        return source in self._roots

    def rows(self) -> Iterator[tuple[int, Root, str, int, int]]:
        """The rows of all sources, as those of ones that are to be read again."""
        for number, root in self._roots.items():
            named, run = next(self._read(DETAILS, number), (None, 0))
            if named not in ("", *format_names()):
                self._lost.append(f"the format in which {root_text(root)} was to be read")
                named = ""
            if not isinstance(run, int) or not 0 <= run < MOST_RUNS:
                run = 0
            yield number, root, named, 0, max(run, self._runs.get(number, 0))

    def _told_roots(self) -> dict[int, Root]:
        told: dict[int, list[Root]] = {}
        for sql in (IN_TABLE, IN_INDEX):
            for number, root in self._read(sql):
                if number > 0 and isinstance(root, str | bytes) and root:
                    told.setdefault(number, []).append(root)
        sums = dict(self._read(SUMS))
        agreed: dict[int, Root] = {}
        for trusts in (_two_agree, _can_be_looked_up):
            for number, roots in sorted(told.items()):
                for root in roots:
                    is_new = number not in agreed and root not in agreed.values()
                    if is_new and trusts(number, root, roots, sums.get(sum_name(number))):
                        agreed[number] = root
        for number, roots in sorted(told.items()):
            # A root that another number has is that source, under a number that was hit.
            if number not in agreed and not set(roots) <= set(agreed.values()):
                self._note(number)
        return agreed

    def _note(self, number: int) -> None:
        self._unknown.add(number)
        self._lost.append(
            f"where source {number} lies: what was read from it is kept, but nothing more can be; "
            "to follow its changes again, index all sources into a new folder"
        )

    def _read(self, sql: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Rows as far as they can be read."""
        with suppress(LacunaError, *FAILS):
            cursor = self._connection.execute(sql, values)
            while (row := cursor.fetchone()) is not None:
                yield row


def _two_agree(number: int, root: Root, told: list[Root], expected: Any) -> bool:
    return source_sum(number, root) == expected or told.count(root) > 1


def _can_be_looked_up(number: int, root: Root, told: list[Root], expected: Any) -> bool:
    """Without a checksum, as older versions wrote stores, what is on the disk tells."""
    path = Path(os.fsdecode(root))
    try:
        return expected is None and path.is_absolute() and path.exists()
    except OSError:  # such as a name that is too long
        return False


UNREADABLE = (LacunaError, sqlite3.Error, ValueError, TypeError, KeyError, OverflowError)
TABLES: dict[str, dict[str, type]] = {
    "files": {"source": int, "name": str},
    "pages": {
        "source": int,
        "path": str,
        "file": str,
        "called": str,
        "names": str,
        "written": bytes,
        "body": bytes,
        "linked": str,
        "resolved": int,
        "missing": int,
        "outside": int,
    },
    "redirects": {"title": str, "folded": str, "target": str, "fragment": str, "source": int},
    "skipped": {"source": int, "place": str, "file": str, "reason": str},
}
"""The tables that a store cannot derive from its documents and sources."""
OF_A_SOURCE = ("files", "pages")
"""The tables that mean nothing without their source."""


class SavedDocument(NamedTuple):
    """A document, and how it is known."""

    document: Document
    source: int
    path: str
    run: int


class Salvage:
    """Reads a database of which parts make no sense; what was lost is collected."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.lost: list[str] = []
        self.sources = SavedSources(connection, self.lost)

    def documents(self) -> Iterator[SavedDocument]:
        """All documents that are as they were written."""
        for number in sorted(self._numbers()):
            try:
                yield self._document(number)
            except UNREADABLE as error:
                self.lost.append(f"{self._name(number)} ({reason_of(error)})")

    def rows(self, table: str) -> Iterator[tuple[Any, ...]]:
        """The rows of another table, as far as they can be read; some may come twice."""
        columns = TABLES[table]
        for order in ("", " DESC"):  # from both ends, where something in the middle is damaged
            sql = f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1{order}, 2{order}"
            try:
                cursor = self._connection.execute(sql)
                while (row := cursor.fetchone()) is not None:
                    fields = dict(zip(columns, row, strict=True))
                    if not _makes_sense(table, fields):
                        self.lost.append(f"a row of {table}")
                        continue
                    if fields["source"] not in self.sources:
                        if table in OF_A_SOURCE:
                            continue
                        fields["source"] = 0
                    yield tuple(fields.values())
            except UNREADABLE as error:
                if not order:
                    self.lost.append(f"rows of {table} ({reason_of(error)})")
            else:
                return

    def generation(self) -> int:
        """The last generation, if it can be told."""
        with suppress(*UNREADABLE):
            sql = "SELECT value FROM counts WHERE name = 'generation'"
            return int(self._connection.execute(sql).fetchone()[0])
        return 0

    def _document(self, number: int) -> SavedDocument:
        row = self._connection.execute(
            "SELECT source, path, run, title, body, sum FROM documents WHERE id = ?", (number,)
        ).fetchone()
        if row is None:
            raise ValueError("its row is gone")
        source, path, run, title, body, expected = row
        if expected not in (None, row_sum(source, path, run, title, body)):
            raise ValueError("its checksum does not fit")
        try:
            return SavedDocument(unpack(title, body), source, path, run)
        except Exception as error:  # bytes that make no sense fail in many ways
            raise ValueError("its text cannot be unpacked") from error

    def _numbers(self) -> set[int]:
        """The numbers of all documents: of the table from both ends, and of what refers to it."""
        found: set[int] = set()
        for sql in (
            "SELECT id FROM documents NOT INDEXED ORDER BY id",
            "SELECT id FROM documents NOT INDEXED ORDER BY id DESC",
            "SELECT id FROM documents ORDER BY title",
            "SELECT id FROM documents ORDER BY folded",
            "SELECT DISTINCT document FROM passages ORDER BY document",
        ):
            with suppress(*UNREADABLE):
                cursor = self._connection.execute(sql)
                while (row := cursor.fetchone()) is not None:
                    if isinstance(row[0], int) and row[0] > 0:
                        found.add(row[0])
        return found

    def _name(self, number: int) -> str:
        """The title of a lost document, as far as it can be told."""
        for sql in (
            "SELECT title FROM documents INDEXED BY sqlite_autoindex_documents_1 WHERE id = ?",
            "SELECT title FROM documents WHERE id = ?",
        ):
            with suppress(*UNREADABLE):
                row = self._connection.execute(sql, (number,)).fetchone()
                if row is not None and isinstance(row[0], str):
                    return repr(row[0])
        return f"document {number}"


def _makes_sense(table: str, row: dict[str, Any]) -> bool:
    for column, kind in TABLES[table].items():
        if not isinstance(row[column], kind) and (column, row[column]) != ("body", None):
            return False
    if table == "redirects":
        return bool(row["folded"] == folded(row["title"]))
    if table != "pages":
        return True
    checks: tuple[Callable[[], object], ...] = (
        lambda: unpack_links(row["written"]),
        lambda: json.loads(row["names"]),
        lambda: row["body"] is None or unpack("", row["body"]),
    )
    try:
        for check in checks:
            check()
    except Exception:  # bytes that make no sense fail in many ways
        return False
    return True


def damaged_copy(folder: Path) -> Path:
    """The path for the database that was repaired."""
    return folder / "damaged.sqlite"


# ``lacuna corpus repair``: rebuild what can be rebuilt of a damaged store, and name the rest.
#
# The text index and the link graph are made anew from the documents. Where the database is
# damaged, a new one is made of every document in it that is as it was written; what follows from
# documents is derived again. Of other names and of what is known about files nobody can say
# whether they are hit: they are kept, and the sources count as unread, so that the next `lacuna
# index` reads them again.


@dataclass(frozen=True, slots=True)
class Repaired:
    """The result of a repair; ``lost`` names what could not be saved, ``read_again`` the
    sources."""

    documents: int
    rebuilt: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    read_again: list[str] = field(default_factory=list)
    damaged: Path | None = None
    """The path of the damaged database."""


def repair_store(folder: Path) -> Repaired:
    """Mend a store; without damage nothing is changed."""
    problems = check_store(folder, deep=True).problems
    if not problems:
        with Store.open(folder) as store:
            return Repaired(len(store))
    salvaged: Salvage | None = None
    with only_writer(folder):
        seal.unseal(folder)
        if any(_is_of_database(problem.part) for problem in problems):
            salvaged = _new_database(folder)
        shutil.rmtree(folder / seal.INDEX, ignore_errors=True)
        for name in ARRAYS:
            for path in array_folders(folder, name).values():
                delete_unheld(path)
    with Store.open(folder) as store:
        with store.writer():
            pass  # makes index, graph and checksums
        rebuilt = ["text index", "link graph"]
        if salvaged is None:
            return Repaired(len(store), rebuilt)
        return Repaired(
            len(store),
            ["database", *rebuilt],
            salvaged.lost,
            [source.root for source in store.sources()],
            damaged_copy(folder),
        )


def _is_of_database(part: str) -> bool:
    """Tell if a part with problems is the database, or something that stands in it."""
    return part != seal.INDEX and not part.startswith((f"{seal.INDEX}/", *ARRAYS))


def _new_database(folder: Path) -> Salvage:
    with tempfile.TemporaryDirectory(prefix="repair-", dir=folder) as scratch:
        made = Path(scratch) / "store"
        try:
            with closing(database.connect(folder)) as connection:
                salvage = Salvage(connection)
                _copy_what_is_sound(salvage, made)
        except LacunaError as error:
            raise LacunaError(
                f"Nothing can be saved of {readable(folder)}: its database cannot be read at all. "
                "Put a backup in its place, or delete the folder and index the sources again."
            ) from error
        old, kept = folder / database.FILE, damaged_copy(folder)
        with suppress(FileNotFoundError):
            kept.unlink()
        try:
            os.link(old, kept)
        except OSError:  # not every disk can
            shutil.copyfile(old, kept)
        for log in ("-wal", "-shm"):  # they belong to the old one
            with suppress(FileNotFoundError):
                (folder / f"{database.FILE}{log}").unlink()
        (made / database.FILE).replace(old)
    return salvage


def _copy_what_is_sound(salvage: Salvage, made: Path) -> None:
    with Store.create(made) as store, store.writer() as writer:
        writer.begin()
        for saved in salvage.documents():
            source = salvage.sources.known(saved.source, saved.run)
            writer.put(saved.document, source, saved.path if source else "", saved.run)
            writer.commit_if_large()
        writer.begin()
        for number, root, *others in salvage.sources.rows():
            writer.database.execute(
                "INSERT INTO sources (id, root, format, items, run, state, finished) "
                "VALUES (?, ?, ?, ?, ?, '', 0)",
                (number, root, *others),
            )
            writer.sources.note_sum(number, root)
        for table, columns in TABLES.items():
            names, marks = ", ".join(columns), ", ".join("?" * len(columns))
            if table == "files":
                names, marks = f"{names}, state, digest", f"{marks}, '', x''"
            for row in salvage.rows(table):
                sql = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"
                writer.database.execute(sql, row)
        writer.database.execute(
            "DELETE FROM pages WHERE body IS NULL AND NOT EXISTS "
            "(SELECT 1 FROM documents d WHERE d.source = pages.source AND d.path = pages.path) "
            "AND json_extract(names, '$[2]') = ''"
        )
        writer.database.execute(
            "UPDATE counts SET value = value + ? WHERE name = 'generation'",
            (salvage.generation(),),
        )


def back_up(folder: Path, target: Path) -> int:
    """Copy a store into a new folder, where it is a store like any other; how many documents.

    The copy is checked document by document, and gets its name when it is whole.
    """
    _refuse(folder, target)
    seal.verify(folder, None)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as part:
            copy = Path(part) / "copy"
            copy.mkdir()
            _copy_database(folder, copy)
            _copy_index(folder, copy)
            with Store.open(copy) as store:
                with store.writer():
                    pass  # makes the index if it was not copied, the graph, and the checksums
                count = sum(1 for _ in store)  # each is compared with its checksum
            copy.replace(target)
    except OSError as error:
        raise LacunaError(
            f"{readable(folder)} was not copied to {readable(target)}: {error.strerror or error}."
        ) from error
    return count


def _refuse(folder: Path, target: Path) -> None:
    if not is_store(folder):
        raise LacunaError(f"{readable(folder)} is not a corpus made by `lacuna index`.")
    refuse_target(target)
    if target.resolve().is_relative_to(folder.resolve()):
        raise LacunaError(
            f"{readable(target)} lies inside the corpus. Choose a folder elsewhere, best on "
            "another disk."
        )


def refuse_target(target: Path) -> None:
    """Refuse a place where something is."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise LacunaError(f"{readable(target)} is there already. Give a new or an empty folder.")


def _copy_database(folder: Path, copy: Path) -> None:
    with (
        closing(database.connect(folder)) as source,
        closing(sqlite3.connect(copy / database.FILE)) as made,
    ):
        source.backup(made)


def _copy_index(folder: Path, copy: Path) -> None:
    """Copy the text index, if it is that of the database that was copied; nobody writes then."""
    sums = read_checksums(folder)
    with closing(database.connect(copy)) as connection:
        if sums is None or sums.state != database.token_of(connection):
            return
    (copy / seal.INDEX).mkdir()
    for name, expected in sums.files.items():
        if name != database.FILE:
            try:
                shutil.copyfile(folder / name, copy / name)
                is_same = FileSum.of(copy / name) == expected
            except FileNotFoundError:
                is_same = False
            if not is_same:  # a writer has begun
                shutil.rmtree(copy / seal.INDEX)
                return
