"""Write files that are there whole or not at all, and files that grow line by line."""

from __future__ import annotations

import gzip
import io
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TextIO, cast

from lacuna.errors import LacunaError
from lacuna.files.cache import digest_of


@contextmanager
def replace_bytes(path: Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Write to a temporary file beside ``path`` and move it there when all went well.

    If the block raises, or the process is killed, ``path`` keeps what it had before. ``private``:
    nobody but its owner can read it, at no moment.
    """
    begun = _begin(path)
    if begun is None:
        with _refusing(path), path.open("wb") as out:
            yield out
        return
    path, part, handle = begun
    try:
        with os.fdopen(handle, "wb") as raw:
            yield raw
            raw.flush()
            os.fsync(raw.fileno())
        part.chmod(0o600 if private else 0o666 & ~_umask())
        part.replace(path)
    except OSError as error:
        raise LacunaError(f"{path} was not written: {error.strerror or error}.") from error
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


@contextmanager
def replace_text(path: Path, *, private: bool = False) -> Iterator[TextIO]:
    """The same for text in UTF-8; a name that ends in ``.gz`` is compressed."""
    try:
        with replace_bytes(path, private=private) as raw:
            if path.suffix == ".gz":
                # mtime=0: the same content gives the same bytes.
                with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
                    yield from _as_text(cast(IO[bytes], packed))
            else:
                yield from _as_text(raw)
    except UnicodeEncodeError as error:
        raise LacunaError(
            f"{path} was not written: a text holds {error.object[error.start]!r}, half of a "
            "surrogate pair, which is not valid Unicode. Remove it from the input."
        ) from error


def check_writable(path: Path) -> None:
    """Raise an error before long work, not after it, if a file cannot be written."""
    if begun := _begin(path):
        _, part, handle = begun
        os.close(handle)
        part.unlink()


def where_written(path: Path) -> Path:
    """The path that is really written: a link keeps pointing to what it points to."""
    with _refusing(path):
        return path.resolve()


def _begin(path: Path) -> tuple[Path, Path, int] | None:
    """The path to write to, and an open temporary file beside it; None for a pipe or a device."""
    path = where_written(path)
    with _refusing(path):
        if path.is_dir():
            raise LacunaError(f"{path} is a folder; give the name of a file to write.")
        if path.exists() and not path.is_file():  # there is nothing to replace
            return None
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    return path, Path(name), handle


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links that go round
        reason = getattr(error, "strerror", None) or error
        raise LacunaError(
            f"{path} cannot be written: {reason}. Choose a folder that you may write to."
        ) from error


def _as_text(raw: IO[bytes]) -> Iterator[TextIO]:
    text = io.TextIOWrapper(raw, encoding="utf-8", newline="\n")
    yield text
    text.flush()
    text.detach()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


# Lines of JSON in a file that grows, each with a checksum before it.
#
# A line that was cut off, or that a disk has damaged, ends what is read of the file: what stands
# before it is whole.


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
