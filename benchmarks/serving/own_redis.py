"""A Redis of one's own, from the system's program, in a temporary folder."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lacuna.errors import LacunaError

TIMEOUT_SECONDS = 30


class OwnRedis:
    """A Redis on loopback, which writes down each change before it says that it is done."""

    def __init__(self, folder: Path, port: int) -> None:
        self._folder = folder
        self.port = port
        self.url = f"redis://127.0.0.1:{port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, with what it has kept."""
        program = shutil.which("redis-server")
        if program is None:
            raise LacunaError("Redis is not installed: apt-get install redis-server.")
        options = {
            "--port": self.port,
            "--bind": "127.0.0.1",
            "--dir": self._folder,
            "--appendonly": "yes",
            "--appendfsync": "always",
            "--save": "",
        }
        words = [str(word) for option in options.items() for word in option]
        self._process = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL)
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise LacunaError("Redis does not start here.")

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@contextmanager
def own_redis() -> Iterator[OwnRedis]:
    """One that runs; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="lacuna-redis-") as folder:
        redis = OwnRedis(Path(folder), free_port())
        try:
            redis.start()
            yield redis
        finally:
            redis.kill()


def free_port() -> int:
    """A port of loopback that nobody has just now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port
