"""The other end of the process that reads PDF files: start it, feed it, and outlive it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

import msgspec

from lacuna.files.child import end_child, talking_child

WORKER = Path(__file__).with_name("pdf_worker.py")
MOST_SECONDS = 180.0
"""For one file; what was read by then is kept."""
MOST_PAGES = 5000
MOST_LINES = 500_000
"""Of one file: more would fill the memory."""


class RawLine(msgspec.Struct):
    """Words that are drawn next to each other, in points from the page's lower left corner."""

    bottom: float
    top: float
    size: float
    fixed: bool
    bold: bool
    words: list[tuple[str, float, float]]


class RawPage(msgspec.Struct):
    """One page as it is drawn; links are rectangles and where they lead."""

    number: int
    lines: list[RawLine]
    links: list[tuple[float, float, float, float, str]] = []
    picture: bool = False


class RawDocument(msgspec.Struct):
    """A file: first what it says of itself, then its pages as far as they were read."""

    pages: int = 0
    metadata: dict[str, str] = {}
    outline: list[tuple[int, str, int]] = []
    problem: str = ""
    read: list[RawPage] = []
    note: str = ""


_DOCUMENT = msgspec.json.Decoder(RawDocument)
_PAGE = msgspec.json.Decoder(RawPage)


class PdfReader:
    """One process for many files; where a file ends it, the next one starts another."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def read(self, data: bytes) -> RawDocument:
        """Everything that can be read of a file in the time there is."""
        with self._lock:
            process = self._started()
            timer = threading.Timer(MOST_SECONDS, process.kill)
            timer.start()
            try:
                return self._exchange(process, data, monotonic() + MOST_SECONDS)
            finally:
                timer.cancel()

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            end_child(process)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._owner != os.getpid():  # a copy of this process must not talk to the same one
            self._process, self._owner = None, os.getpid()
        if self._process is None or self._process.poll() is not None:
            self.close()
            if find_spec("pypdfium2") is None:  # the process would end without a word
                raise ModuleNotFoundError(name="pypdfium2")
            # -P: its own folder has modules whose names others have too.
            self._process = talking_child([sys.executable, "-P", str(WORKER)])
        return self._process

    def _exchange(
        self, process: subprocess.Popen[bytes], data: bytes, deadline: float
    ) -> RawDocument:
        document: RawDocument | None = None
        lines = 0
        try:
            _send(process, data)
            for answer in _answers(process):
                if document is None:
                    document = _DOCUMENT.decode(answer)
                elif answer.startswith(b'{"problem"'):
                    document.note = _cut_short(document, "it needs too much memory")
                else:
                    document.read.append(_PAGE.decode(answer))
                    lines += len(document.read[-1].lines)
                if lines > MOST_LINES or len(document.read) >= MOST_PAGES < document.pages:
                    document.note = _cut_short(document, "it is very long; split it")
                    self.close()
                    break
            else:
                return document or RawDocument(problem="broken")
        except (OSError, msgspec.DecodeError, _EndedError):
            self.close()
            late = monotonic() >= deadline
            if document is None or not document.read:
                return RawDocument(problem="slow" if late else "broken")
            reason = "reading it takes too long" if late else "the page after them is broken"
            document.note = _cut_short(document, reason)
        return document


class _EndedError(Exception):
    """The process ended in the middle of a file."""


def _send(process: subprocess.Popen[bytes], data: bytes) -> None:
    if process.stdin is None:
        raise _EndedError
    process.stdin.write(len(data).to_bytes(8, "big"))
    process.stdin.write(data)
    process.stdin.flush()


def _answers(process: subprocess.Popen[bytes]) -> Iterator[bytes]:
    if process.stdout is None:
        raise _EndedError
    while (answer := process.stdout.readline()) != b"\n":
        if not answer.endswith(b"\n"):
            raise _EndedError
        yield answer


def _cut_short(document: RawDocument, reason: str) -> str:
    return f"only the first {len(document.read)} of {document.pages} pages were read: {reason}"
