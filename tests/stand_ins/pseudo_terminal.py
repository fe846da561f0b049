"""A program at a real pseudo-terminal: what is typed to it, and what it shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from pathlib import Path

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x1b\x07]*(?:\x1b\\|\x07)")
TIMEOUT_SECONDS = 60.0
LONG_WHILE = 10.0
CTRL_C = "\x03"
CTRL_D = "\x04"


class PseudoTerminal:
    """Runs Python code with arguments at a terminal of so many columns."""

    def __init__(
        self, code: str, *arguments: str | Path, env: Mapping[str, str], columns: int = 80
    ) -> None:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", **env}
        environment.pop("COLUMNS", None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
            preexec_fn=_at_a_terminal,
        )  # fmt: skip
        os.close(theirs)
        self._ours = ours
        self.raw = ""

    @property
    def shown(self) -> str:
        """All that was shown so far, without colours and movements."""
        return CODES.sub("", self.raw).replace("\r\n", "\n")

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._ours, text.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, as a person does: once more where nothing happens for a long while.

        Python's line editor sleeps on if the signal comes just before it waits for a key.
        """
        until = time.monotonic() + TIMEOUT_SECONDS
        self.type(CTRL_C)
        while not select.select([self._ours], [], [], LONG_WHILE)[0]:
            assert time.monotonic() < until, self.shown
            self.type(CTRL_C)

    def wait_for(self, text: str, times: int = 1) -> None:
        """Until a text was shown so many times."""
        until = time.monotonic() + TIMEOUT_SECONDS
        while self.shown.count(text) < times:
            assert time.monotonic() < until, self.shown
            assert self._read() or self.shown.count(text) >= times, self.shown

    def wait(self) -> int:
        """Until it ends; its exit code."""
        while self._read():
            pass
        os.close(self._ours)
        return self.process.wait(TIMEOUT_SECONDS)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], TIMEOUT_SECONDS)
        assert ready, self.shown
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # the other end is closed
            return False
        self.raw += data.decode("utf-8", "replace")
        return bool(data)


def _at_a_terminal() -> None:
    """In the new process: the terminal is its own, and Ctrl-C counts, as in any shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
