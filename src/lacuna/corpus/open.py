"""Open a corpus: the demo, an indexed one, or any folder, archive or file of documents.

What is not indexed yet is indexed into the cache folder. ``corpora/NAME/STATE`` there is a whole
store, or it does not exist: it is built beside its place and moved. NAME stands for the path of the
source, STATE for its files as they are now. So nothing is ever changed that another process may be
reading, and what is gone from the source is gone from its corpus.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from lacuna.assets import demo
from lacuna.corpus import database
from lacuna.corpus.formats import open_source
from lacuna.corpus.formats.entries import paths_in
from lacuna.corpus.store import Store
from lacuna.corpus.writer import Added
from lacuna.errors import LacunaError
from lacuna.files.cache import cache_folder, cached_folder, digest_of
from lacuna.files.opening import similar
from lacuna.plugins import PluginGroup, plugin_names
from lacuna.version import __version__

Progress = Callable[[int, int | None], None]
"""Called with how many files are read, and of how many, where that is known."""


def open_store(corpus: str | Path | None = None, *, progress: Progress | None = None) -> Store:
    """The documents of a corpus, ready to be read and searched; None opens the demo.

    A folder or file that is not indexed is indexed once, into the cache folder, and again when it
    has changed. ``progress`` is called while that goes on.
    """
    if corpus is None:
        return cached_store(demo.ARTICLES, demo.digest(), progress=progress)
    path = Path(corpus)
    if not path.exists():
        raise LacunaError(f"There is no file or folder {path}.{similar(path)}")
    if is_store(path):
        store = Store.open(path)
        hint = f"Add some to it: lacuna index SOURCE --out {path}"
    else:
        store = cached_store(path, source_key(path), progress=progress)
        skipped = next(store.skipped(), None)
        hint = "It is empty."
        if skipped:
            hint = f"{skipped.where}, for one, was passed over: {skipped.reason}."
    if not len(store):
        store.close()
        raise LacunaError(f"{path} has no document that could be asked. {hint}")
    return store


def cached_store(source: Path, state: str, *, progress: Progress | None = None) -> Store:
    """The corpus of a source in that state; read anew if the cache folder does not have it."""
    name = f"{source.resolve().stem or 'root'}-{digest_of(str(source.resolve()))}"
    # Another version may read the same files otherwise.
    state = digest_of(f"{state} {database.FORMAT} {__version__}")
    cached = cache_folder() / "corpora" / name / state
    if not is_store(cached):
        _build(source, cached, progress)
    return Store.open(cached)


def source_key(path: Path, source_format: str | None = None) -> str:
    """A name for the present state of a source: its path, and a digest of all files there.

    A source that has changed, or is to be read otherwise, gets another key: it is read again, and
    its documents replaced.
    """
    how = " ".join((source_format or "", *plugin_names(PluginGroup.FORMATS))).strip()
    digest = blake2b(how.encode(), digest_size=12)
    for file in [path] if path.is_file() else _files(path):
        state = file.stat()
        digest.update(os.fsencode(file.relative_to(path)))
        digest.update(f"\n{state.st_size}\n{state.st_mtime_ns}\n".encode())
    return f"{os.fsencode(path.resolve()).decode(errors='replace')} {digest.hexdigest()}"


def file_count(path: Path) -> int | None:
    """How many files a folder has; how many pages are in a file is not known before it is read."""
    return len(_files(path)) if path.is_dir() else None


def is_store(folder: Path) -> bool:
    """Whether ``lacuna index`` has made a corpus of this folder."""
    return (folder / database.FILE).is_file()


def _build(source: Path, cached: Path, progress: Progress | None) -> None:
    items = open_source(source)  # refuse a wrong path before anything is written
    total = file_count(source)

    def report(added: Added) -> None:
        if progress:
            progress(added.documents + added.skipped, total)

    def fill(folder: Path) -> None:
        with Store.create(folder) as store, store.writer() as writer:
            writer.add(items, progress=report)

    cached_folder(cached, fill, is_whole=is_store, what=f"The corpus of {source}")


def _files(folder: Path) -> list[Path]:
    """What the formats would see: they follow links, but never round in a circle."""
    paths = paths_in(folder, bool)
    return sorted(path for path in paths if os.path.isfile(path))  # noqa: PTH113 - never raises
