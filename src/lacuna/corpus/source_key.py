"""A name for the present state of a source, so that an index run can tell what it has read."""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path

from lacuna.corpus.formats.entries import paths_in


def source_key(path: Path, source_format: str | None = None) -> str:
    """The path, and a digest of the names, sizes and times of all files there.

    A source that has changed, or is to be read otherwise, gets another key: it is read again, and
    its documents replaced.
    """
    digest = blake2b((source_format or "").encode(), digest_size=12)
    files = [path] if path.is_file() else _files(path)
    for file in files:
        state = file.stat()
        digest.update(os.fsencode(file.relative_to(path)))
        digest.update(f"\n{state.st_size}\n{state.st_mtime_ns}\n".encode())
    return f"{os.fsencode(path.resolve()).decode(errors='replace')} {digest.hexdigest()}"


def page_count(path: Path) -> int | None:
    """How many files a folder has; how many pages are in a file is not known before it is read."""
    return len(_files(path)) if path.is_dir() else None


def _files(folder: Path) -> list[Path]:
    """What the readers would see: they follow links, but never round in a circle."""
    paths = paths_in(folder, bool)
    return sorted(path for path in paths if os.path.isfile(path))  # noqa: PTH113 - never raises
