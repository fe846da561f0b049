"""Open a text file for reading, gzipped or plain, with errors that say what to do."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from lacuna.errors import LacunaError

GZIP_MAGIC = b"\x1f\x8b"
PEEK = 4096


class TextSource:
    """An open text file that knows how far it has been read."""

    def __init__(self, path: Path, raw: BinaryIO, text: TextIO, head: str) -> None:
        self.path = path
        self.size = path.stat().st_size
        self.text = text
        self.head = head
        """How the text begins, from the first character that is not space."""
        self._raw = raw

    @property
    def bytes_read(self) -> int:
        """How much of the file on disk has been read (compressed bytes, if it is compressed)."""
        return self._raw.tell() if not self._raw.closed and self._raw.seekable() else self.size


@contextmanager
def open_text(path: Path) -> Iterator[TextSource]:
    """Open UTF-8 text; whether it is gzipped is seen from its first bytes, not its name."""
    with _open_bytes(path) as raw:
        # peek, not seek: the file may be a pipe
        packed = raw.peek(2)[:2] == GZIP_MAGIC
        plain = gzip.GzipFile(fileobj=raw) if packed else raw
        try:
            head = plain.peek(PEEK).removeprefix(codecs.BOM_UTF8).lstrip()
            # newline="" keeps the text as it is: offsets must not depend on the platform.
            text = io.TextIOWrapper(plain, encoding="utf-8-sig", newline="")
            yield TextSource(path, raw, text, head.decode("utf-8", "replace"))
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


def _open_bytes(path: Path) -> io.BufferedReader:
    try:
        if path.is_dir():
            raise LacunaError(f"{path} is a folder, not a file. Give the path of one file in it.")
        return path.open("rb")
    except FileNotFoundError as error:
        raise LacunaError(f"There is no file {path}.{_similar(path)}") from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise LacunaError(
            f"{path} cannot be read: {reason}. Check the path and its permissions."
        ) from error


def _similar(path: Path) -> str:
    from difflib import get_close_matches

    if not path.parent.is_dir():
        return f" The folder {path.parent} does not exist either."
    close = get_close_matches(path.name, [entry.name for entry in path.parent.iterdir()], n=1)
    return f" Did you mean {path.parent / close[0]}?" if close else " Check the path."
