"""Roads to a server that can be cut so that nothing arrives and nobody is told: no close, no reset.

One is a proxy that keeps all bytes back, the other a network of its own with a router in between.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Protocol

import pytest

CLONE_NEWNET = 0x40000000
TIMEOUT_SECONDS = 20.0


class CutRoad(Protocol):
    """A way to the server."""

    def connect(self) -> socket.socket:
        """A connection that goes this way."""

    def cut(self) -> None:
        """Let nothing through any more."""

    def mend(self) -> None:
        """Let all through again."""


class FreezingProxy:
    """Passes bytes on, or keeps them back until it is mended; then they arrive late."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._flows = threading.Event()
        self._flows.set()
        self._stack = ExitStack()
        self._listening = self._stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), TIMEOUT_SECONDS)

    def cut(self) -> None:
        self._flows.clear()

    def mend(self) -> None:
        self._flows.set()

    def close(self) -> None:
        self._flows.set()
        self._stack.close()

    def _accept(self) -> None:
        with suppress(OSError):  # until it is closed
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._to), TIMEOUT_SECONDS)
                far.settimeout(None)
                for one, other in ((near, far), (far, near)):
                    self._stack.callback(one.close)
                    threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                self._flows.wait()
                other.sendall(data)
        self._flows.wait()  # an end is kept back like everything else
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)


class OwnNetwork:
    """A network namespace behind a router, which is one too; the far link of the router is cut."""

    SERVER, NEAR, FAR, CLIENT = "10.213.77.1", "10.213.77.2", "10.213.78.1", "10.213.78.2"

    def __init__(self, port: int) -> None:
        self._port = port
        mark = os.getpid()
        self._client, self._router = f"lacuna-c{mark}", f"lacuna-r{mark}"
        self._veth = f"lac{mark}"
        self._stack = ExitStack()
        try:
            self._make()
        except BaseException:
            self._stack.close()
            raise

    def _make(self) -> None:
        for name in (self._client, self._router):
            _ip("netns", "add", name)
            self._stack.callback(_ip, "netns", "del", name)
        peer = ("peer", "name", "north", "netns", self._router)
        _ip("link", "add", self._veth, "type", "veth", *peer)
        self._stack.callback(_ip, "link", "del", self._veth)
        peer = ("peer", "name", "south", "netns", self._router)
        _ip("-n", self._client, "link", "add", "out", "type", "veth", *peer)
        _ip("addr", "add", f"{self.SERVER}/24", "dev", self._veth)
        _ip("link", "set", self._veth, "up")
        _ip("route", "add", "10.213.78.0/24", "via", self.NEAR)
        for where, address, device in (
            (self._router, self.NEAR, "north"),
            (self._router, self.FAR, "south"),
            (self._client, self.CLIENT, "out"),
        ):
            _ip("-n", where, "addr", "add", f"{address}/24", "dev", device)
            _ip("-n", where, "link", "set", device, "up")
        _ip("-n", self._client, "route", "add", "default", "via", self.FAR)
        forward = "echo 1 > /proc/sys/net/ipv4/ip_forward"
        _ip("netns", "exec", self._router, "sh", "-c", forward)

    def connect(self) -> socket.socket:
        """From within the namespace: a socket stays where its thread was when it was made."""
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(self._connect).result()

    def _connect(self) -> socket.socket:
        at = os.open(f"/run/netns/{self._client}", os.O_RDONLY)
        try:
            if ctypes.CDLL(None, use_errno=True).setns(at, CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
            return socket.create_connection((self.SERVER, self._port), TIMEOUT_SECONDS)
        finally:
            os.close(at)

    def cut(self) -> None:
        _ip("-n", self._router, "link", "set", "north", "down")

    def mend(self) -> None:
        _ip("-n", self._router, "link", "set", "north", "up")

    def close(self) -> None:
        self._stack.close()


@contextmanager
def cut_road(kind: str, address: str) -> Iterator[CutRoad]:
    """A road to the server at an address; skipped where networks cannot be made."""
    port = int(address.rpartition(":")[2])
    road: FreezingProxy | OwnNetwork
    if kind == "proxy":
        road = FreezingProxy(port)
    else:
        if shutil.which("ip") is None or not Path("/run").is_dir():
            pytest.skip("there is no `ip` to make networks with")
        try:
            road = OwnNetwork(port)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network can be made here: {error.stderr.strip()}")
    try:
        yield road
    finally:
        road.close()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)
