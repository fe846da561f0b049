"""Lines of JSON in a file that grows, each with a checksum before it.

A line that was cut off, or that a disk has damaged, ends what is read of the file: what stands
before it is whole.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from lacuna.files.cache import digest_of


def whole_lines(path: Path) -> Iterator[tuple[bytes, Any]]:
    """The lines with what they hold, up to the first that is not whole."""
    with path.open("rb") as file:
        for line in file:
            digest, _, text = line.decode("ascii", "replace").partition(" ")
            if not text.endswith("\n") or digest_of(text[:-1]) != digest:
                return
            yield line, json.loads(text)


def write_line(file: IO[bytes], value: Any) -> None:
    """Add a line; it is on the disk when this returns."""
    text = json.dumps(value)
    file.write(f"{digest_of(text)} {text}\n".encode("ascii"))
    file.flush()
    os.fsync(file.fileno())


def open_after(path: Path, size: int) -> IO[bytes]:
    """Open a file to add to it behind its first bytes; what stands there is cut off."""
    file = path.open("r+b" if size else "wb")
    file.truncate(size)
    file.seek(size)
    return file
