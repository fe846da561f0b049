"""Folders in the cache that are there whole or not at all.

A folder is built beside its place and moved there, so nothing is ever changed that another process
may be reading, and what a killed process leaves behind is never taken for the whole.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from lacuna.errors import LacunaError

BUILDING = "building-"
FORGOTTEN = 24 * 3600
"""Seconds after which a half-built folder belongs to a process that was killed."""


def cached_folder(
    kept: Path, build: Callable[[Path], None], *, whole: Callable[[Path], bool], what: str
) -> None:
    """Build a folder and move it to its place; ``what`` names it where it cannot be kept.

    ``whole`` tells a folder that another process has put there meanwhile from a damaged one.
    Earlier states beside it go, but the last: it may still be read.
    """
    home = kept.parent
    try:
        home.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=BUILDING, dir=home))
    except OSError as error:
        raise LacunaError(
            f"{what} cannot be kept in {home}: {error.strerror}. Name a folder that you may write "
            "to in the environment variable LACUNA_CACHE."
        ) from error
    try:
        build(beside)
        move(beside, kept, whole)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    _clear(home, kept)


def move(beside: Path, kept: Path, whole: Callable[[Path], bool]) -> None:
    """Put what was built into its place, unless another process was quicker."""
    try:
        beside.replace(kept)
    except OSError:
        if not whole(kept):
            shutil.rmtree(kept, ignore_errors=True)
            beside.replace(kept)


def digest_of(text: str) -> str:
    """A short name for a state."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()


def _clear(home: Path, kept: Path) -> None:
    """Remove what killed processes left, and old states but the last."""
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
