"""The command line: one file per verb, no logic of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command. Exit codes: 0 done, 1 done with items left out, 2 bad input, 130 stopped."""
    from lacuna.cli.app import app
    from lacuna.errors import LacunaError

    try:
        app(args=None if arguments is None else list(arguments))
    except LacunaError as error:
        from lacuna.cli.console import complain

        complain(str(error))
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone (`lacuna … | head`): no complaint, no traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
