"""Folders that are read by some and deleted by others: what someone holds is not deleted.

Every such folder has a file that its readers lock together. Whoever wants to delete it needs that
lock alone. The operating system drops the locks of a process however it ends, so that nothing is
kept for the dead.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import IO
from uuid import uuid4

from lacuna.files.locks import lock_alone, lock_shared

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
