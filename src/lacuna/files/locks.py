"""Locks on open files, of one process alone or shared; they go when their holder does."""

from __future__ import annotations

import sys
from typing import IO

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
