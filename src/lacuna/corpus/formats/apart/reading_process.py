"""One process that reads documents: start it, give it a file, and outlive it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from enum import StrEnum
from time import monotonic

from lacuna.corpus.formats.apart.wire import Request, packed_request, unpacked_reply
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.pages.page import Page
from lacuna.corpus.source_item import Skipped

MOST_REPLIED = 1 << 30
"""Bytes that a document may become."""
CLOCK_TIMES = 4.0
"""As long as it may work on a document may it take by the clock: the machine has other work too."""
STARTING_SECONDS = 60.0
"""That it may take to start, on a slow disk."""
OUT_OF_TIME = -getattr(signal, "SIGPROF", 0) or None
"""How a process ends that has worked for too long; Windows has no such way."""
LAST_SECONDS = 2.0
"""That are left for a reply when it is asked for late: it may wait in a pipe that is full."""
START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from lacuna.corpus.formats.apart.worker import main; main()"
)
"""Formats of other packages are looked for where this process would find them."""

Items = list[Page | Skipped]


class Ending(StrEnum):
    """Why a process gave no reply."""

    SLOW = "slow"
    BROKEN = "broken"


class ReadingProcess:
    """Reads one document at a time; after an ``Ending`` it is gone."""

    def __init__(self) -> None:
        self.is_fresh = True
        """Whether it has read nothing yet: then no document before can be to blame."""
        self._deadline = 0.0
        self._process = subprocess.Popen(
            # -P: what lies in the current folder is none of ours, whatever it is called.
            [sys.executable, "-P", "-c", START, json.dumps([str(place) for place in sys.path])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    @property
    def is_alive(self) -> bool:
        """Whether it can be given a document."""
        return self._process.poll() is None

    def begin(self, known: str, entry: Entry, seconds: float) -> None:
        """Give it a file in a format, and how long it may work on it; ``result`` must follow."""
        starting = STARTING_SECONDS if self.is_fresh else 0.0
        self._deadline = monotonic() + starting + CLOCK_TIMES * seconds
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(OSError):  # it is gone, which the result says
            stdin.write(packed_request(Request(known, entry.name, len(entry.data), seconds)))
            stdin.write(entry.data)
            stdin.flush()

    def result(self) -> Items | Ending | None:
        """The pages of the file; None where the process does not know its format."""
        left = max(LAST_SECONDS, self._deadline - monotonic())
        late = threading.Event()
        timer = threading.Timer(left, self._stop, (late,))
        timer.start()
        try:
            return self._reply()
        except (OSError, ValueError):
            self.close()
            slow = late.is_set() or self._process.returncode == OUT_OF_TIME
            return Ending.SLOW if slow else Ending.BROKEN
        except BaseException:  # interrupted: the reply would be taken for that to the next one
            self.close()
            raise
        finally:
            timer.cancel()
            self.is_fresh = False

    def close(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _stop(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()

    def _reply(self) -> Items | None:
        assert self._process.stdout is not None
        reply = self._process.stdout.readline(MOST_REPLIED)
        if not reply.endswith(b"\n"):
            raise ValueError("it ended in the middle of a reply")
        return unpacked_reply(reply)
