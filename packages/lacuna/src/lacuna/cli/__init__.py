"""The command line: one file per verb, no logic of its own."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. Exit codes: 0 done, 1 done with items left out, 2 bad input, 130 stopped."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _stopped)  # so that half-written files are cleaned up
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # for terminals that lack a character
    try:
        from lacuna.cli.app import run

        try:
            run(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whatever read our output has gone (`lacuna … | head`): no message, no traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        told = _in_words(error)
        if not told:
            raise
        _refuse(told)


def _in_words(error: Exception) -> str:
    """What to tell of an error that somebody can do something about; "" of a bug of ours."""
    from lacuna.errors import LacunaError, is_of_the_system

    match error:
        case LacunaError():
            return str(error)
        case MemoryError() | SystemError():  # the latter where there is none to say so
            return "This machine gave no more memory. Close other programs, and run it again."
        case OSError():
            where = f"{error.filename}: " if error.filename else ""
            reason = error.strerror or error
            return f"{where}{reason}. Check the path, its permissions and the space on the disk."
        case _ if type(error).__module__ == "sqlite3":
            return (
                f"The database of a corpus could not be read or written: {error}. Check its folder "
                "and the space on the disk; what was committed before is safe."
            )
        case _ if is_of_the_system(error):
            cause: BaseException = error
            while cause.__cause__ is not None:  # NumPy's own words are about its installation
                cause = cause.__cause__
            return (
                f"A part of Lacuna could not be loaded or started: {cause}. Memory, open files or "
                "the disk may be at fault; run it again."
            )
    return ""


def _refuse(message: str) -> NoReturn:
    try:
        from lacuna.cli.console import print_error

        print_error(message)
    except (OSError, ImportError, MemoryError):  # nobody can be told, or nothing more be loaded
        with suppress(OSError):
            os.write(2, f"Error: {message}\n".encode("ascii", "backslashreplace"))
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # Python would try again at its end, and say so with a traceback
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(2)


def _stopped(*_: object) -> NoReturn:
    sys.exit(143)
