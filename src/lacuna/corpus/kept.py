"""A corpus made from a folder of notes, kept in the cache folder until the notes change.

``corpora/NAME/STATE`` is a whole store, or it is not there: it is built beside and moved. NAME
stands for the path of the source, STATE for its files as they are now. So nothing is ever changed
that another process may be reading, and what is gone from the source is gone from its corpus.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from lacuna.corpus import database
from lacuna.corpus.readers import open_pages
from lacuna.corpus.source_key import page_count
from lacuna.corpus.store import Store
from lacuna.corpus.writer import Added
from lacuna.errors import LacunaError
from lacuna.files.cache import cache_folder
from lacuna.version import __version__

Progress = Callable[[int, int | None], None]
"""Told how many files are read, and of how many, where that is known."""

BUILDING = "building-"
FORGOTTEN = 24 * 3600
"""Seconds after which a half-built corpus belongs to a process that was killed."""


def kept_store(source: Path, state: str, *, progress: Progress | None = None) -> Store:
    """The corpus of a source in that state; read anew if it is not there yet."""
    name = f"{source.resolve().stem or 'root'}-{_digest(str(source.resolve()))}"
    home = cache_folder() / "corpora" / name
    # Another version may read the same files otherwise.
    kept = home / _digest(f"{state} {database.FORMAT} {__version__}")
    if not (kept / database.FILE).is_file():
        _build(source, home, kept, progress)
        _clear(home, kept)
    return Store.open(kept)


def _build(source: Path, home: Path, kept: Path, progress: Progress | None) -> None:
    found = open_pages(source)  # complain about a wrong path before anything is written
    try:
        home.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=BUILDING, dir=home))
    except OSError as error:
        raise LacunaError(
            f"The corpus of {source} cannot be kept in {home}: {error.strerror}. Name a folder "
            "that you may write to in the environment variable LACUNA_CACHE."
        ) from error
    total = page_count(source)

    def tell(added: Added) -> None:
        if progress:
            progress(added.documents + added.skipped, total)

    try:
        with Store.create(beside) as store, store.writer() as writer:
            writer.add(found, progress=tell)
        _move(beside, kept)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _move(beside: Path, kept: Path) -> None:
    try:
        beside.replace(kept)
    except OSError:
        if not (kept / database.FILE).is_file():  # else another process was quicker
            shutil.rmtree(kept, ignore_errors=True)
            beside.replace(kept)


def _clear(home: Path, kept: Path) -> None:
    """Remove what killed processes left, and old states but the last: it may still be read."""
    others = [path for path in home.iterdir() if path != kept]
    left = [path for path in others if path.name.startswith(BUILDING)]
    states = sorted((path for path in others if path not in left), key=_age)
    for path in [*states[1:], *(path for path in left if _age(path) > FORGOTTEN)]:
        shutil.rmtree(path, ignore_errors=True)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:  # its builder has just moved it
        return 0.0


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
