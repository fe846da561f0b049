"""Child processes with code of ours: started, kept within limits, and ended whatever they do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

from lacuna.errors import LacunaError

HERE = "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1))\n"
"""What is imported there is what this process would import, parts of other packages included."""
NICE = 10
"""How far a child that works by itself stands back where the cores do not suffice for all."""


def code_command(code: str, *arguments: str) -> list[str]:
    """The command that runs Python code; its ``sys.argv[1:]`` are the arguments."""
    places = json.dumps([str(place) for place in sys.path])
    # -P: what lies in the current folder is none of ours, whatever it is called.
    return [sys.executable, "-P", "-c", HERE + code, places, *arguments]


def talking_child(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start a child that is asked on its standard input, and answers on its output."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)


def end_child(process: subprocess.Popen[bytes]) -> None:
    """End it, whatever it does, and let go of its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            if pipe is not None:
                pipe.close()


def limit_here(**limits: int) -> None:
    """Take no more of what ``resource`` calls RLIMIT_…, such as ``AS``; Windows has no limits."""
    with suppress(ImportError):
        import resource

        for name, value in limits.items():
            kind = getattr(resource, f"RLIMIT_{name}")
            _, hard = resource.getrlimit(kind)
            most = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (most, most))


class ChildStoppedError(LacunaError):
    """It was not begun, since whoever runs it is being stopped."""


class ChildRefusedError(LacunaError):
    """The child has refused its work in words, by this exit code."""

    CODE = 2


class ChildBrokeOffError(LacunaError):
    """The child ended otherwise than it should."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(said)
        self.code = code


class ChildRunner:
    """Runs code in children, one after the other, that work by themselves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen[str] | None = None
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """The child that works just now, if one does."""
        running = self._running
        return running.pid if running and running.poll() is None else None

    def run(self, code: str, *arguments: str, seconds: float | None = None) -> str:
        """Wait until it is done, and return what it said; after so many seconds it is ended."""
        with self._lock:
            if self._is_closed:
                raise ChildStoppedError("The server is being stopped. Try again when it runs.")
            self._running = process = subprocess.Popen(
                code_command(code, *arguments),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
        try:
            _, said = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise TimeoutError from None
        if process.returncode == ChildRefusedError.CODE:
            raise ChildRefusedError(said.strip())
        if process.returncode:
            raise ChildBrokeOffError(process.returncode, said.strip()[-300:])
        return said.strip()

    def close(self) -> None:
        """End what runs, and begin nothing more."""
        with self._lock:
            self._is_closed = True
            if self._running is not None:
                self._running.kill()
