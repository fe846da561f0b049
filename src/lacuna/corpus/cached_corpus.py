"""A corpus made from a folder of notes, kept in the cache folder until the notes change.

``corpora/NAME/STATE`` is a whole store, or it is not there: it is built beside and moved. NAME
stands for the path of the source, STATE for its files as they are now. So nothing is ever changed
that another process may be reading, and what is gone from the source is gone from its corpus.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lacuna.corpus import database
from lacuna.corpus.formats import open_pages
from lacuna.corpus.source_key import page_count
from lacuna.corpus.store import Store
from lacuna.corpus.writer import Added
from lacuna.files.cache import cache_folder
from lacuna.files.cached_folder import cached_folder, digest_of
from lacuna.version import __version__

Progress = Callable[[int, int | None], None]
"""Told how many files are read, and of how many, where that is known."""


def cached_store(source: Path, state: str, *, progress: Progress | None = None) -> Store:
    """The corpus of a source in that state; read anew if it is not there yet."""
    name = f"{source.resolve().stem or 'root'}-{digest_of(str(source.resolve()))}"
    # Another version may read the same files otherwise.
    state = digest_of(f"{state} {database.FORMAT} {__version__}")
    kept = cache_folder() / "corpora" / name / state
    if not _whole(kept):
        _build(source, kept, progress)
    return Store.open(kept)


def _build(source: Path, kept: Path, progress: Progress | None) -> None:
    found = open_pages(source)  # complain about a wrong path before anything is written
    total = page_count(source)

    def tell(added: Added) -> None:
        if progress:
            progress(added.documents + added.skipped, total)

    def fill(folder: Path) -> None:
        with Store.create(folder) as store, store.writer() as writer:
            writer.add(found, progress=tell)

    cached_folder(kept, fill, whole=_whole, what=f"The corpus of {source}")


def _whole(kept: Path) -> bool:
    return (kept / database.FILE).is_file()
