"""Open a corpus: the demo, an indexed one, any folders, archives and files, or an address."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from lacuna import demo
from lacuna.corpus import database
from lacuna.corpus.address import address_of, is_address, place_text
from lacuna.corpus.database import root_of
from lacuna.corpus.formats.entries import paths_in
from lacuna.corpus.integrity import DamagedStoreError, readable
from lacuna.corpus.refresh import check_source, is_current, refresh_source
from lacuna.corpus.store import Skipped, Store, is_corpus, is_store, lance_store, store_at
from lacuna.corpus.writer import Added
from lacuna.errors import LacunaError
from lacuna.files.cache import (
    LOCK,
    StoreBusyError,
    cache_folder,
    digest_of,
    make_in_cache,
    only_writer,
)
from lacuna.files.opening import similar

Progress = Callable[[int, int | None], None]
"""Called with how many files are read, and of how many, where that is known."""
Corpora = str | Path | Sequence[str | Path] | None
"""One place or several that a corpus is made of."""

BUSY_TIMEOUT_SECONDS = 600.0
"""Seconds to wait for another process that is indexing the same sources."""


def open_store(corpus: Corpora = None, *, progress: Progress | None = None) -> Store:
    """The documents of a corpus, ready to be read and searched; None opens the demo.

    Several places make one corpus of all. A folder or file that is not indexed is indexed into the
    cache folder, and what has changed since the last time is read again. ``progress`` is called
    while that goes on.
    """
    places = [corpus] if isinstance(corpus, str | Path) else list(corpus or ())
    paths = [Path(place) for place in places]
    for path in paths:
        if not is_address(path) and not path.exists():
            raise LacunaError(f"There is no file or folder {path}.{similar(path)}")
    store: Store
    if len(paths) == 1 and is_corpus(paths[0]):
        store = store_at(paths[0])
        hint = f"Add some to it: lacuna index SOURCE --out {store.place}"
    else:
        store = _cached_store(paths or [demo.ARTICLES], progress)
        skipped = next(store.skipped(), None)
        hint = _why_empty(skipped)
    if not len(store):
        store.close()
        named = " and ".join(map(place_text, paths))
        raise LacunaError(f"{named} has no document that could be asked. {hint}")
    return store


def file_count(path: Path) -> int | None:
    """The number of files in a folder; how many pages are in a file is not known before it is
    read."""
    if is_corpus(path) or not path.is_dir():
        return None
    return sum(1 for _ in paths_in(path, bool))


def store_folder(paths: Sequence[Path]) -> Path:
    """The folder of a corpus's store: the folder that was given, or one in the cache folder."""
    if len(paths) == 1 and is_store(paths[0]):
        return paths[0]
    roots = [os.fsdecode(root_of(path)) for path in paths or [demo.ARTICLES]]
    named = digest_of("\n".join([*roots, str(database.FORMAT)]))
    return cache_folder() / "corpora" / f"{readable(Path(Path(roots[0]).stem)) or 'root'}-{named}"


def _cached_store(paths: Sequence[Path], progress: Progress | None) -> Store:
    folder = store_folder(paths)
    if not is_store(folder):
        for path in paths:
            check_source(path)  # before anything is written
    store = _created(folder)
    began = time.monotonic()
    while not (is_read := all(is_current(store, path) for path in paths)) or store.behind:
        try:
            _refresh(store, paths, progress)
            break  # what changes meanwhile is read the next time
        except StoreBusyError:
            if time.monotonic() - began > BUSY_TIMEOUT_SECONDS:
                raise
            time.sleep(0.2)
        except LacunaError:
            if not is_read:
                raise
            break  # the disk may be full: all but the last documents can be found
    return store


def _created(folder: Path) -> Store:
    began = time.monotonic()
    while not is_store(folder):
        try:
            make_in_cache(folder)
            with only_writer(folder):
                if not is_store(folder):
                    _clear(folder)
                    database.create(folder)
        except StoreBusyError:
            if time.monotonic() - began > BUSY_TIMEOUT_SECONDS:
                raise
            time.sleep(0.2)
        except OSError as error:
            raise LacunaError(
                f"The corpus cannot be cached in {folder.parent}: {error.strerror}. Name a folder "
                "that you may write to in the environment variable LACUNA_CACHE."
            ) from error
    try:
        return Store.create(folder)
    except DamagedStoreError:
        from lacuna.corpus.repair import repair_store

        repair_store(folder)  # and what is lost is read from the sources again
        return Store.open(folder)


def _clear(folder: Path) -> None:
    """Delete what is left of a store whose database was lost: all is read again."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()


def _refresh(store: Store, paths: Sequence[Path], progress: Progress | None) -> None:
    done = 0
    with store.writer() as writer:
        for path in paths:
            total = file_count(path)

            def report(added: Added, total: int | None = total, before: int = done) -> None:
                if progress:
                    progress(before + _files_of(added, total), total and before + total)

            done += _files_of(refresh_source(writer, path, progress=report), total)


def _files_of(added: Added, total: int | None) -> int:
    """The number of files, roughly: one may give several documents and redirects."""
    return added.items if total is None else min(added.items, total)


def _why_empty(skipped: Skipped | None) -> str:
    if skipped is None:
        return "It is empty."
    return f"{skipped.where}, for one, was passed over: {skipped.reason}."


def copy_corpus(source: Path, target: Path) -> int:
    """Make a corpus at a new place that is equal to another; how many documents it has."""
    from lacuna.corpus.repair import back_up, refuse_target  # questions need not load it

    read, written = address_of(source), address_of(target)
    if written is None:
        if read is None:
            return back_up(source, target)
        refuse_target(target)
        return _fetched(read, target)
    if read is None:
        return _published(source, written)
    with tempfile.TemporaryDirectory() as scratch:
        _fetched(read, Path(scratch) / "copy")
        return _published(Path(scratch) / "copy", written)


def _fetched(address: str, target: Path) -> int:
    with lance_store(address) as store:
        from lacuna_scale.lance.store import fetch

        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as part:
                fetch(store.tables, store.state, Path(part) / "copy")
                with Store.open(Path(part) / "copy") as copy:
                    count = sum(1 for _ in copy)  # each is compared with its checksum
                (Path(part) / "copy").replace(target)
        except OSError as error:
            raise LacunaError(
                f"{address} was not copied to {target}: {error.strerror or error}."
            ) from error
    return count


def _published(folder: Path, address: str) -> int:
    with lance_store(address, must_exist=False) as target:
        from lacuna_scale.lance.publish import Claim, publish
        from lacuna_scale.lance.snapshot import StateTable

        if target.state.is_published:
            raise LacunaError(f"There is a corpus at {address} already. Give a new address.")
        with Store.open(folder) as store, Claim(address, StateTable(target.tables)) as claim:
            if claim.state.is_published:
                raise claim.overtaken()
            publish(store, target.tables, claim)
            return len(store)
