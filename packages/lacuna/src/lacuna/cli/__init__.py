"""The command line: one file per verb, no logic of its own."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. Exit codes: 0 done, 1 done with items left out, 2 bad input, 130 stopped."""
    from lacuna.cli.app import run
    from lacuna.errors import LacunaError

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _stopped)  # so that half-written files are cleaned up
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # for terminals that lack a character
    try:
        try:
            run(sys.argv[1:] if arguments is None else list(arguments))
        finally:
            sys.stdout.flush()
    except LacunaError as error:
        _refuse(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whatever read our output has gone (`lacuna … | head`): no message, no traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        reason = error.strerror or error
        _refuse(f"{where}{reason}. Check the path, its permissions and the space on the disk.")


def _refuse(message: str) -> NoReturn:
    from lacuna.cli.console import print_error

    print_error(message)
    sys.exit(2)


def _stopped(*_: object) -> NoReturn:
    sys.exit(143)
