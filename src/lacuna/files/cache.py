"""The cache folder: files and folders that can be fetched or made again.

A folder in it is complete or does not exist: it is built beside its place and moved. So nothing is
ever changed that another process may be reading, and what a killed process leaves behind is never
taken for the whole.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

from lacuna.errors import LacunaError

BUILDING = "building-"
ABANDONED = 24 * 3600
"""Seconds after which a half-built folder is taken for that of a killed process."""


def cache_folder() -> Path:
    """The user's cache folder; the environment variable LACUNA_CACHE names another.

    It need not be there: ``make_in_cache`` makes it.
    """
    if chosen := os.environ.get("LACUNA_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("lacuna")


def make_in_cache(folder: Path) -> None:
    """Make a folder that something is about to be written to.

    The cache folder holds what documents say, so one that is not there yet is made for its owner
    alone.
    """
    cache = cache_folder()
    if folder.is_relative_to(cache):
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)


def cached_folder(
    cached: Path, build: Callable[[Path], None], *, is_whole: Callable[[Path], bool], what: str
) -> None:
    """Build a folder and move it to its place; ``what`` names it in the error if that fails.

    ``is_whole`` tells a folder that another process has put there meanwhile from a damaged one.
    Earlier states beside it are removed, except for the last: it may still be read.
    """
    home = cached.parent
    try:
        make_in_cache(home)
        building = Path(tempfile.mkdtemp(prefix=BUILDING, dir=home))
    except OSError as error:
        raise LacunaError(
            f"{what} cannot be cached in {home}: {error.strerror}. Name a folder that you may "
            "write to in the environment variable LACUNA_CACHE."
        ) from error
    try:
        build(building)
        move_into_place(building, cached, is_whole)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    _clear(home, cached)


def move_into_place(building: Path, cached: Path, is_whole: Callable[[Path], bool]) -> None:
    """Put what was built into its place, unless another process was quicker."""
    try:
        building.replace(cached)
    except OSError:
        if not is_whole(cached):
            shutil.rmtree(cached, ignore_errors=True)
            building.replace(cached)


def digest_of(text: str) -> str:
    """A short name for a state."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _clear(home: Path, cached: Path) -> None:
    """Remove what killed processes left, and all old states but the last."""
    others = [path for path in home.iterdir() if path != cached]
    unfinished = [path for path in others if path.name.startswith(BUILDING)]
    states = sorted((path for path in others if path not in unfinished), key=_age)
    for path in [*states[1:], *(path for path in unfinished if _age(path) > ABANDONED)]:
        shutil.rmtree(path, ignore_errors=True)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:  # its builder has just moved it
        return 0.0
