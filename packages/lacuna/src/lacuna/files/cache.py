"""The cache folder: files and folders that can be fetched or made again, and who holds them."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import IO
from uuid import uuid4

from lacuna.errors import LacunaError

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 30
    """Windows locks bytes, and locked bytes cannot be read: lock one past the content."""

    def lock_alone(file: IO[bytes]) -> bool:
        """Lock a file for nobody else; False if another has it."""
        file.seek(FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        file.seek(0)
        return True

    def lock_shared(file: IO[bytes]) -> bool:
        """Hold a file together with others; Windows deletes no open file anyway."""
        return True

else:
    import fcntl

    def lock_alone(file: IO[bytes]) -> bool:
        """Lock a file for nobody else; False if another has it."""
        return _locked(file, fcntl.LOCK_EX)

    def lock_shared(file: IO[bytes]) -> bool:
        """Hold a file together with others; False if one has it alone."""
        return _locked(file, fcntl.LOCK_SH)

    def _locked(file: IO[bytes], kind: int) -> bool:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


# Folders that are read by some and deleted by others: what someone holds is not deleted.
#
# Every such folder has a file that its readers lock together. Whoever wants to delete it needs
# that lock alone. The operating system drops the locks of a process however it ends, so that
# nothing is kept for the dead.


IN_USE = "in-use"
GONE = ".gone-"


def make_holdable(folder: Path) -> None:
    """Give a new folder the file that its readers will lock."""
    (folder / IN_USE).touch()


def hold(folder: Path) -> IO[bytes] | None:
    """Keep a folder from being deleted until what is returned is closed; None if it is gone."""
    try:
        file = (folder / IN_USE).open("rb")
    except OSError:
        return None
    # A folder that was deleted between the two steps, or made anew, has another file by now.
    if lock_shared(file) and _is_still(folder / IN_USE, file):
        return file
    file.close()
    return None


def delete_unheld(folder: Path) -> bool:
    """Delete a folder, unless someone holds it; whether it is gone."""
    try:
        with (folder / IN_USE).open("rb") as file:
            if not lock_alone(file):
                return False
            gone = folder.with_name(f"{folder.name}{GONE}{uuid4().hex}")
            folder.rename(gone)  # at once: nobody finds half of it
    except FileNotFoundError:
        gone = folder  # of an earlier version, which held nothing; or half of it is gone already
    except OSError:
        return False
    shutil.rmtree(gone, ignore_errors=True)
    return True


def delete_gone(home: Path) -> None:
    """Finish what a killed process had begun to delete."""
    for path in home.glob(f"*{GONE}*"):
        shutil.rmtree(path, ignore_errors=True)


def _is_still(path: Path, file: IO[bytes]) -> bool:
    with suppress(OSError):
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    return False


# The cache folder: files and folders that can be fetched or made again.
#
# A folder in it is complete or does not exist: it is built beside its place and moved. So nothing
# is ever changed that another process may be reading, and what a killed process leaves behind is
# never taken for the whole.


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


LOCK = "writer.lock"


class StoreBusyError(LacunaError):
    """Another process is writing."""


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the folder's lock for the block; refuse at once if another writer has it.

    The operating system drops the lock when its holder ends, however it ends, so a file left
    behind by a killed process is harmless.
    """
    path = folder / LOCK
    try:
        file = path.open("a+b")
    except OSError as error:
        raise LacunaError(
            f"{folder} cannot be written to: {error.strerror}. Check its permissions."
        ) from error
    with file:
        if not lock_alone(file):
            file.seek(0)
            holder = file.read(20).decode("ascii", "replace").strip()
            who = f" (process {holder})" if holder.isdigit() else ""
            raise StoreBusyError(
                f"{folder} is being written by another process{who}. "
                "Wait until it is done, or stop it; reading is possible meanwhile."
            )
        with suppress(OSError):  # the number is only for the message; a full disk is no matter
            file.truncate(0)
            file.write(str(os.getpid()).encode("ascii"))
            file.flush()
        yield
