"""``lacuna corpus repair``: rebuild what can be rebuilt of a damaged store, and name the rest.

The text index and the link graph are made anew from the documents. Where the database is damaged, a
new one is made of every document in it that is as it was written; what follows from documents is
derived again. Of other names and of what is known about files nobody can say whether they are hit:
they are kept, and the sources count as unread, so that the next `lacuna index` reads them again.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from lacuna.corpus import database
from lacuna.corpus.arrays import array_folders
from lacuna.corpus.lock import only_writer
from lacuna.corpus.safekeeping import seal
from lacuna.corpus.safekeeping.check import ARRAYS, check_store
from lacuna.corpus.safekeeping.damage import readable
from lacuna.corpus.safekeeping.salvage import TABLES, Salvage, damaged_copy
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.files.held import delete_unheld


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was done; ``lost`` names what could not be saved, ``read_again`` the sources."""

    documents: int
    rebuilt: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    read_again: list[str] = field(default_factory=list)
    damaged: Path | None = None
    """Where the damaged database was put."""


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
    """Whether a part with problems is the database, or something that stands in it."""
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
