"""Open a text file for reading, gzipped or plain, with errors that say what to do."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from lacuna.errors import LacunaError

GZIP_MAGIC = b"\x1f\x8b"
HEAD = 1 << 16


class TextSource:
    """An open text file that knows how far it has been read."""

    def __init__(self, path: Path, raw: BinaryIO, text: TextIO, head: str) -> None:
        self.path = path
        self.size = path.stat().st_size
        self.text = text
        self.head = head
        """The beginning of the text, from the first character that is not space."""
        self._raw = raw

    @property
    def bytes_read(self) -> int:
        """Bytes of the file on disk that were read (compressed ones, if it is compressed)."""
        return self._raw.tell() if not self._raw.closed and self._raw.seekable() else self.size

    def lines(self, longest: int) -> Iterator[str]:
        """The lines; one of more characters than that is an error, before it fills the memory."""
        number = 0
        while line := self.text.readline(longest + 1):
            number += 1
            if len(line) > longest:
                raise LacunaError(
                    f"{self.path}: line {number} is longer than {longest >> 20} million "
                    "characters. Is it the right file? If it is a .json file that was named "
                    ".jsonl, rename it."
                )
            yield line


@contextmanager
def open_text(path: Path) -> Iterator[TextSource]:
    """Open UTF-8 text; whether it is gzipped is seen from its first bytes, not its name."""
    with _open_bytes(path) as raw:
        try:
            seekable = raw.seekable()  # a pipe is not, whatever gzip says of what it unpacks
            magic, again = _head(raw, len(GZIP_MAGIC), seekable)
            plain = cast(BinaryIO, gzip.GzipFile(fileobj=again)) if magic == GZIP_MAGIC else again
            head, plain = _head(plain, HEAD, seekable)
            # newline="" keeps the text as it is: offsets must not depend on the platform.
            text = io.TextIOWrapper(plain, encoding="utf-8-sig", newline="")
            start = head.removeprefix(codecs.BOM_UTF8).lstrip()
            yield TextSource(path, raw, text, start.decode("utf-8", "replace"))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise LacunaError(
                f"{path} is a gzip file that is cut off or damaged ({error}). "
                "Copy or download it again; nothing was written."
            ) from error
        except UnicodeDecodeError as error:
            raise LacunaError(
                f"{path} is not UTF-8 text ({error.reason} near byte {error.start} of a read). "
                "Save it as UTF-8 and try again."
            ) from error


def _head(stream: BinaryIO, size: int, seekable: bool) -> tuple[bytes, BinaryIO]:
    """The first bytes, and a stream that begins with them still."""
    head = stream.read(size)
    if seekable:
        stream.seek(0)
        return head, stream
    return head, cast(BinaryIO, io.BufferedReader(_Rejoined(head, stream), 1 << 20))


class _Rejoined(io.RawIOBase):
    """The part of a pipe that was read already, then the rest of it."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = len(buffer)
        if self._head:
            chunk, self._head = self._head[:size], self._head[size:]
        else:
            chunk = self._rest.read(size)
        buffer[: len(chunk)] = chunk
        return len(chunk)


def _open_bytes(path: Path) -> io.BufferedReader:
    try:
        if path.is_dir():
            raise LacunaError(f"{path} is a folder, not a file. Give the path of one file in it.")
        return path.open("rb")
    except FileNotFoundError as error:
        raise LacunaError(f"There is no file {path}.{similar(path)}") from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = getattr(error, "strerror", None) or str(error)
        raise LacunaError(
            f"{path} cannot be read: {reason}. Check the path and its permissions."
        ) from error


def similar(path: Path) -> str:
    """Suggestions for a path that leads nowhere, as the end of an error."""
    from difflib import get_close_matches

    if not path.parent.is_dir():
        return f" The folder {path.parent} does not exist either."
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        names = []
    close = get_close_matches(path.name, names, n=1)
    return f" Did you mean {path.parent / close[0]}?" if close else " Check the path."
