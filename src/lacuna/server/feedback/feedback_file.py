"""The file of feedback: a JSON object on each line, as ``lacuna data check real`` reads them.

Only its owner can read it. A line is there whole or not at all, also where several servers keep
theirs in one file, and where one of them is killed.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from lacuna.errors import LacunaError
from lacuna.files.locks import lock_alone
from lacuna.server.refusals import Refusal, feedback_full

PATIENCE = 5.0
"""Seconds to wait for another server that writes."""


class FeedbackFile:
    """Appends to a file; what is said of the same answer again takes the place of the first."""

    def __init__(self, path: Path, limit: int) -> None:
        self._path = path
        self._limit = limit
        self._lock = threading.Lock()
        with self._opened():  # so that an error comes now, not with the first feedback
            pass

    def put(self, line: Mapping[str, Any]) -> None:
        """Keep what was said of one answer, by its ``id``."""
        written = json.dumps(line).encode() + b"\n"
        with self._lock, self._opened() as file:
            file.seek(0)
            kept = file.read(self._limit + 1)
            if len(kept) + len(written) > self._limit:
                raise feedback_full()
            lines = kept.splitlines(keepends=True)
            others = [other for other in lines if _id(other) != line["id"]]
            is_whole = not kept or kept.endswith(b"\n")  # else a writer was killed in a line
            if len(others) < len(lines) or not is_whole:
                self._replace(b"".join(_whole(other) for other in others) + written)
            else:
                file.write(written)
                file.flush()
                os.fsync(file.fileno())

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """The file, while no other process writes to it."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            except OSError as error:
                raise LacunaError(
                    f"Feedback cannot be written to {self._path}: {error.strerror}. Give "
                    "--feedback a path in a folder that you can write to."
                ) from error
            with os.fdopen(handle, "r+b") as file:
                # Another one may have put a new file in its place before this was locked.
                if lock_alone(file) and os.path.samestat(os.fstat(handle), self._path.stat()):
                    yield file
                    return
            if time.monotonic() > end:
                raise Refusal(
                    503, "busy", "Other feedback is being written. Try again.", {"Retry-After": "5"}
                )
            time.sleep(0.05)

    def _replace(self, content: bytes) -> None:
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
            Path(name).replace(self._path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _id(line: bytes) -> object:
    try:
        return json.loads(line)["id"]
    except (ValueError, TypeError, LookupError):  # a line of another hand; it stays as it is
        return None


def _whole(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n"
