"""``lacuna corpus backup``: a copy of a store as it is at one moment, while others write."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from lacuna.corpus import database
from lacuna.corpus.safekeeping import seal
from lacuna.corpus.safekeeping.damage import readable
from lacuna.corpus.store import Store, is_store
from lacuna.errors import LacunaError
from lacuna.files.checksums import FileSum, read_checksums


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
