"""nginx with the configuration of ``deploy/``, in front of servers of one's own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.serving.own_redis import free_port
from lacuna.errors import LacunaError

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"
UPSTREAM = "server lacuna:8420 max_fails=0;"
LISTEN = "listen 8080;"
TIMEOUT_SECONDS = 20


@contextmanager
def own_nginx(ports: Sequence[int]) -> Iterator[int]:
    """The port of an nginx in front of servers on these ports of loopback."""
    with tempfile.TemporaryDirectory(prefix="lacuna-nginx-") as scratch:
        port = free_port()
        words = nginx_command(Path(scratch), port, [f"127.0.0.1:{one}" for one in ports])
        process = subprocess.Popen([*words, "-g", "daemon off; pid nginx.pid;"])
        try:
            wait_for_nginx(process, port)
            yield port
        finally:
            process.terminate()
            process.wait()


def nginx_command(folder: Path, port: int, addresses: Sequence[str]) -> list[str]:
    """The command for that configuration with other addresses, which is written to a folder."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        raise LacunaError("nginx is not installed: apt-get install nginx-light.")
    servers = " ".join(f"server {one} max_fails=0;" for one in addresses)
    written = CONFIGURATION.read_text(encoding="utf-8")
    for part, instead in ((UPSTREAM, servers), (LISTEN, f"listen 127.0.0.1:{port};")):
        if part not in written:
            raise LacunaError(f"{CONFIGURATION} has no {part!r}.")
        written = written.replace(part, instead)
    (folder / "nginx.conf").write_text(written, encoding="utf-8")
    return [program, "-p", str(folder), "-c", "nginx.conf", "-e", "stderr"]


def wait_for_nginx(process: subprocess.Popen[bytes], port: int) -> None:
    """Until it listens on a port of loopback."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise LacunaError("nginx does not start here.")
