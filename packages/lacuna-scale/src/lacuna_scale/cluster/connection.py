"""A Ray cluster by its address, and places as its machines understand them."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Any

from lacuna.corpus.address import address_of
from lacuna.errors import LacunaError, needs


def absolute(place: str | Path) -> Path:
    """An address as it is, and any other path from the root."""
    path = Path(place)
    return path if address_of(path) is not None else path.resolve()


AUTO = "auto"
SECONDS_TO_ANSWER = 5.0
"""Time that the head of a cluster may take to answer at all."""
SECONDS_BETWEEN_LOOKS = 1.0
"""While an answer of the head is waited for."""
STANDARD_ERROR = 2
NO_TOKEN = (
    "RAY_AUTH_MODE=token is set, but this machine has no token. Put that of the cluster into "
    "~/.ray/auth_token, or name its file in RAY_AUTH_TOKEN_PATH."
)


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster at ``HOST:PORT``, or with ``auto`` the one that this machine belongs to."""
    ray = load_ray()
    if "://" in address:
        raise LacunaError(
            f"{address} is an address of Ray's client, which cannot be used here. Run the command "
            "on a machine of the cluster, and give HOST:PORT of its head, or auto."
        )
    if address != AUTO:
        _check_head(address)
    if ray.is_initialized():
        raise LacunaError("This process is connected to a Ray cluster already. End that first.")
    try:
        # What workers write would come between our own lines; a log of each is on its machine.
        with _without_a_word():
            ray.init(
                address=address,
                log_to_driver=False,
                logging_level=logging.CRITICAL,
                configure_logging=True,
            )
    except ray.exceptions.AuthenticationError as error:
        raise LacunaError(NO_TOKEN) from error
    except (ConnectionError, RuntimeError, ValueError, AssertionError) as error:
        raise _no_cluster(address, error) from error
    try:
        yield Cluster(ray, ray.get_runtime_context().gcs_address)
    finally:
        ray.shutdown()


@contextmanager
def _without_a_word() -> Iterator[None]:
    """Ray's library writes a line for each attempt to reach a head that refuses, past all settings;
    what comes of it is told by us."""
    kept = os.dup(STANDARD_ERROR)
    try:
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), STANDARD_ERROR)
        yield
    finally:
        os.dup2(kept, STANDARD_ERROR)
        os.close(kept)


def load_ray() -> ModuleType:
    """Ray, which comes with an extra."""
    with needs("scale", "LACUNA_RAY"):
        import ray
    module: ModuleType = ray
    return module


class Cluster:
    """The cluster to work with; ``ray`` is the module, connected."""

    def __init__(self, ray: Any, head: str) -> None:
        self.ray, self.head = ray, head

    def places(self, *, cpus: float, gpus: float) -> int:
        """The number of workers of that size that the present machines have room for."""
        room = 0
        for node in self._living():
            resources = node["Resources"]
            fits = [resources.get(name, 0) // size for name, size in
                    (("CPU", cpus), ("GPU", gpus)) if size]  # fmt: skip
            room += int(min(fits, default=0))
        return room

    @property
    def has_gpu(self) -> bool:
        """True if any machine has one."""
        return any(node["Resources"].get("GPU", 0) for node in self._living())

    @property
    def machines(self) -> frozenset[str]:
        """The ids of those that are there."""
        return frozenset(node["NodeID"] for node in self._living())

    def check_head(self) -> None:
        """Say so where the head is gone: without it nothing goes on."""
        _check_head(self.head)

    def _living(self) -> list[dict[str, Any]]:
        return [node for node in self._while_head_answers(self.ray.nodes) if node["Alive"]]

    def _while_head_answers(self, ask: Callable[[], Any]) -> Any:
        """What only the head knows. Should it be lost meanwhile, Ray would not come back: it waits
        for a minute, and then ends the process. So another thread waits for it."""
        answers: SimpleQueue[Any] = SimpleQueue()

        def wait() -> None:
            try:
                answers.put(ask())
            except Exception as error:
                answers.put(error)

        Thread(target=wait, name="asks the head", daemon=True).start()
        while True:
            try:
                answer = answers.get(timeout=SECONDS_BETWEEN_LOOKS)
            except Empty:
                self.check_head()
                continue
            if isinstance(answer, Exception):
                raise answer
            return answer


def _check_head(address: str) -> None:
    """Ray itself would wait for a minute, and then end the process."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise LacunaError(
            f"{address!r} is no address of a Ray cluster. Give HOST:PORT of its head, which `ray "
            "start --head` prints, or auto on a machine that belongs to it."
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), SECONDS_TO_ANSWER).close()
    except OSError as error:
        raise HeadGoneError(address, error.strerror or str(error)) from error


class HeadGoneError(LacunaError):
    """The head of a cluster does not answer."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(
            f"The head of the Ray cluster at {address} does not answer ({why}). Start it (`ray "
            "start --head`), and give the same command again."
        )


def _no_cluster(address: str, error: Exception) -> LacunaError:
    token = (
        "Where the cluster wants a token, this machine must have the same (RAY_AUTH_MODE=token)."
    )
    if address == AUTO:
        return LacunaError(
            "This machine belongs to no running Ray cluster. Start one (`ray start --head`), join "
            f"one (`ray start --address HOST:PORT`), or set LACUNA_RAY to the address of its head. "
            f"{token}"
        )
    first = str(error).strip().partition("\n")[0].rstrip(".")
    return LacunaError(
        f"The Ray cluster at {address} could not be joined: {first}. This machine must belong to "
        f"it (`ray start --address HOST:PORT`), with the same versions of Ray and Python. {token}"
    )
