"""A name for the present state of a source, so that an index run can tell what it has read."""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path


def source_key(path: Path) -> str:
    """The path, and a digest of the names, sizes and times of all files there.

    A source that has changed gets another key: it is read again, and its documents replaced.
    """
    digest = blake2b(digest_size=12)
    files = [path] if path.is_file() else _files(path)
    for file in files:
        state = file.stat()
        digest.update(f"{file.relative_to(path)}\n{state.st_size}\n{state.st_mtime_ns}\n".encode())
    return f"{path.resolve()} {digest.hexdigest()}"


def page_count(path: Path) -> int | None:
    """How many files a folder has; how many pages are in a file is not known before it is read."""
    return len(_files(path)) if path.is_dir() else None


def _files(folder: Path) -> list[Path]:
    found = []
    for where, _, names in os.walk(folder):  # does not follow links, so that no loop is endless
        found += [Path(where) / name for name in names]
    return sorted(path for path in found if path.is_file())
