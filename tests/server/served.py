"""``lacuna serve`` in a process of its own, as a person starts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import lacuna

PRINTED = re.compile(r"Lacuna answers at (\S+)")


class Served:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str], printed: str, errors: Path) -> None:
        self.process = process
        self._errors = errors
        parts = urlsplit(printed)
        self.address = f"http://{parts.netloc}"
        (self.token,) = parse_qs(parts.query).get("token", [""])
        self.known = {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def stop(self, sent: signal.Signals = signal.SIGTERM) -> int:
        """End it; its exit code."""
        self.process.send_signal(sent)
        return self.process.wait(30)

    def errors(self) -> str:
        """What it wrote to standard error."""
        return self._errors.read_text()


@contextmanager
def served(
    folder: Path,
    *options: str | Path,
    program: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> Iterator[Served]:
    """A server on a free port, which keeps all that it needs in ``folder``.

    ``program`` is Python to be run instead of the command, with the same options; ``settings``
    are added to the environment.
    """
    start = ["-c", program] if program else ["-m", "lacuna"]
    command = [sys.executable, *start, "serve", "--port", "0", *map(str, options)]
    environ = {
        **environment(),
        **(settings or {}),
        "LACUNA_CACHE": str(folder / "cache"),
        "TMPDIR": str(folder),
    }
    errors = folder / "errors.txt"
    with (
        errors.open("w") as err,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=err, text=True, env=environ
        ) as process,
    ):
        assert process.stdout is not None
        try:
            printed = PRINTED.search(process.stdout.readline())
            assert printed, errors.read_text()
            yield Served(process, printed[1], errors)
        finally:
            process.kill()


def environment() -> dict[str, str]:
    """That of this process, for another one that is to find the same package."""
    return {
        **os.environ,
        "PYTHONPATH": str(Path(lacuna.__file__).parent.parent),
        "LACUNA_THREADS": "1",
    }
