"""The folder that uploads lie in: one for each server, and gone with it.

A server that is killed cannot clean up. The next one does: it removes the folders of servers that
no longer run. One that runs holds a lock on its own, which ends with it, however it ends.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from lacuna.corpus.lock import only_writer
from lacuna.errors import LacunaError

PREFIX = "lacuna-uploads-"
ATTEMPTS = 10
"""Another server that starts may take a new folder for one that was left."""


class UploadFolder:
    """A folder for uploads, until it is closed, or nobody has it any more."""

    def __init__(self) -> None:
        _remove_left()
        held = ExitStack()
        self.path = held.enter_context(_folder()) / "open"
        self.path.mkdir()
        self._close = weakref.finalize(self, held.close)

    def close(self) -> None:
        """Remove it with all that is in it."""
        self._close()


@contextmanager
def _folder() -> Iterator[Path]:
    for _ in range(ATTEMPTS):
        with ExitStack() as held:
            try:
                folder = Path(tempfile.mkdtemp(prefix=PREFIX))
                held.enter_context(only_writer(folder))
            except (LacunaError, OSError):
                continue
            if not list(folder.glob("*")):  # the lock was removed while it was taken
                continue
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            return
    raise LacunaError(
        f"No folder for uploads can be made in {tempfile.gettempdir()}. Let TMPDIR name a folder "
        "that you can write to."
    )


def _remove_left() -> None:
    """Remove the folders of servers of this user that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError, LacunaError):
            if folder.is_symlink() or not folder.is_dir():
                continue
            if os.name == "posix" and folder.stat().st_uid != os.geteuid():
                continue
            with only_writer(folder):
                shutil.rmtree(folder, ignore_errors=True)
