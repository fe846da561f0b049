"""``lacuna collect serve`` in a process of its own, which can be killed and started again."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

TIMEOUT_SECONDS = 120


class KilledServer:
    """A server over a project; it keeps its port."""

    def __init__(self, project: Path, log: Path) -> None:
        self._project = project
        self._log = log
        self._process: subprocess.Popen[str] | None = None
        self.port = 0
        self.kills = 0

    def start(self) -> None:
        """Start it, and wait until people can connect."""
        command = [sys.executable, "-m", "lacuna", "collect", "serve", str(self._project)]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port)], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout is not None
        found = re.search(r"http://\S+", self._process.stdout.readline())
        assert found, self._log.read_text()[-2_000:]
        self.port = urlsplit(found[0]).port or 0

    def megabytes(self) -> float:
        """Its memory."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        (kilobytes,) = re.findall(r"VmRSS:\s+(\d+) kB", status)
        return int(kilobytes) / 1024

    def processor_seconds(self) -> float:
        """What it has used of the processors since it was started."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    async def kill_now_and_then(self, times: int, seconds: float, random: Random) -> None:
        """Kill it so often at random moments within a time, and start it again each time."""
        clock = asyncio.get_running_loop()
        begun = clock.time()
        for moment in sorted(random.uniform(0, seconds) for _ in range(times)):
            await asyncio.sleep(max(begun + moment - clock.time(), random.random()))
            self._end(signal.SIGKILL)
            self.kills += 1
            await asyncio.to_thread(self.start)

    def stop(self) -> None:
        """Let it end as people end it."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(TIMEOUT_SECONDS)
        assert self._process.stdout is not None
        self._process.stdout.close()
