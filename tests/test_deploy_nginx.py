"""nginx as Compose runs it: the servers are the several addresses of one name."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from benchmarks.serving.own_nginx import nginx_command, wait_for_nginx
from benchmarks.serving.own_redis import free_port

from lacuna.errors import LacunaError

ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
HOSTS = 'mount --bind "$1" /etc/hosts && shift && exec "$@"'
"""Runs a program that reads other names; in a namespace of its own, so nobody else does."""


class SaysWhere(BaseHTTPRequestHandler):
    """Answers with the address that it was asked at."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        said = str(self.connection.getsockname()[0]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_: object) -> None:
        """Nothing: the test has a quiet output."""


@contextmanager
def answering(address: str, port: int) -> Iterator[None]:
    with ThreadingHTTPServer((address, port), SaysWhere) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield
        server.shutdown()


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[str]:
    """The address of nginx before three servers of one name."""
    apart = ["unshare", "--mount", "sh", "-c", HOSTS, "sh"]
    hosts = tmp_path / "hosts"
    hosts.write_text("".join(f"{address} lacuna\n" for address in ADDRESSES))
    if not shutil.which("unshare") or subprocess.run([*apart, hosts, "true"]).returncode:
        pytest.skip("Names of one's own need `unshare --mount`, and root for it.")
    port, behind = free_port(), free_port()
    with ExitStack() as stack:
        for address in ADDRESSES:
            stack.enter_context(answering(address, behind))
        try:
            words = nginx_command(tmp_path, port, [f"lacuna:{behind}"])
        except LacunaError as error:
            pytest.skip(str(error))
        process = subprocess.Popen([*apart, hosts, *words, "-g", "daemon off; pid nginx.pid;"])
        try:
            wait_for_nginx(process, port)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def test_a_browser_stays_with_one_server_of_a_name(nginx: str) -> None:
    reached = set()
    for _ in range(40):  # chance leaves one of three out in a try of ten millions
        with httpx.Client(base_url=nginx) as browser:
            places = {browser.get("/").text for _ in range(4)}
        assert len(places) == 1, "its upload is with one server alone"
        reached |= places
    assert reached == set(ADDRESSES), "and all of them have work"
