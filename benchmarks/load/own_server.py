"""A server of this tree in a process of its own, and what it takes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit


class OwnServer:
    """A server over the demo corpus that was started for this."""

    def __init__(self, process: subprocess.Popen[str], printed: str, log: Path) -> None:
        parts = urlsplit(printed)
        self.host, self.port = parts.hostname or "", parts.port or 0
        (self.token,) = parse_qs(parts.query).get("token", [""])
        self.process = process
        self._log = log

    def megabytes(self) -> float:
        """Its memory."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        (kilobytes,) = re.findall(r"VmRSS:\s+(\d+) kB", status)
        return int(kilobytes) / 1024

    def logged(self) -> int:
        """Bytes that it has written to its log."""
        return self._log.stat().st_size


@contextmanager
def own_server(
    options: Sequence[str], environment: Mapping[str, str] | None = None
) -> Iterator[OwnServer]:
    """Start one on a free port, and end it; ``environment`` is added to that of this process."""
    command = [sys.executable, "-m", "lacuna", "serve", "--port", "0", *options]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with (
            log.open("w") as written,
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=written,
                text=True,
                env={**os.environ, **(environment or {})},
            ) as process,
        ):
            assert process.stdout is not None
            found = re.search(r"Lacuna answers at (\S+)", process.stdout.readline())
            assert found, log.read_text()
            try:
                yield OwnServer(process, found[1], log)
            finally:
                process.terminate()
