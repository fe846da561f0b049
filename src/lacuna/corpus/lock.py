"""A lock on a folder that one process holds, and that goes when the process does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.files.locks import lock_alone

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
