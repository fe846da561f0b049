"""Files opened for their content, however they are compressed or encoded."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from lacuna.errors import LacunaError
from lacuna.files.opening import TextSource

SEVEN_ZIP = b"7z\xbc\xaf\x27\x1c"
DAMAGED = (EOFError, zlib.error, lzma.LZMAError, OSError)
"""The errors that decompressors raise where a file is cut off or damaged."""

HowFar = Callable[[int], None]
"""Told how many bytes of a file were read, as it lies on the disk."""


def nobody_asks(_: int) -> None:
    """Do nothing: nobody wants to know how far."""


def open_packed(path: Path, raw: IO[bytes] | None = None) -> IO[bytes]:
    """Open a file; how it is compressed is seen from its first bytes, not from its name.

    ``raw`` is the file itself where it is open already: its position says how far it was read.
    """
    if path.is_dir():
        raise LacunaError(f"{path} is a folder; this format is one file. Give the file in it.")
    try:
        with path.open("rb") as file:
            head = file.read(6)
    except OSError as error:
        raise LacunaError(
            f"{path} cannot be read: {error.strerror or error}. Check the path and permissions."
        ) from error
    if head == SEVEN_ZIP:
        raise LacunaError(
            f"{path} is a 7z archive, which cannot be read as a stream here. "
            f"Unpack it first (7z x {path.name}) and give what it holds."
        )
    if head.startswith(b"BZh"):
        return bz2.open(raw or path)
    if head.startswith(b"\x1f\x8b"):
        return io.BufferedReader(gzip.open(raw or path))
    if head.startswith(b"\xfd7zXZ"):
        return lzma.open(raw or path)
    return raw or path.open("rb")


@contextmanager
def open_packed_text(path: Path) -> Iterator[TextSource]:
    """The UTF-8 text of a file, for the formats in JSON."""
    try:
        with open_packed(path) as file:
            text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
            with path.open("rb") as raw:
                yield TextSource(path, raw, text, "")
    except UnicodeDecodeError as error:
        raise not_utf8(path, error) from error
    except DAMAGED as error:
        raise damaged(path, error) from error


def not_utf8(path: Path | str, error: UnicodeDecodeError) -> LacunaError:
    """The error for a text in another encoding."""
    return LacunaError(
        f"{path} is not UTF-8 text ({error.reason}). Save it as UTF-8 and try again."
    )


def damaged(path: Path, error: BaseException) -> LacunaError:
    """The error for a file that ends too early."""
    return LacunaError(
        f"{path} cannot be read to its end ({error}); it is cut off or damaged. "
        "Copy or download it again; what was committed before that place is safe."
    )


NOT_OF_TEXTS = frozenset(
    ("undefined", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "mbcs", "oem")
)
"""Python's own, which no page is written in; some of them take time that grows with the square."""


def decoded_by_name(data: bytes, charset: str) -> str | None:
    """The text; None where there is no such charset, or the bytes are not in it.

    >>> decoded_by_name(b"Stra\\xdfe", "cp1252"), decoded_by_name(b"a", "punycode")
    ('Straße', None)
    """
    try:
        name = codecs.lookup(charset).name.replace("-", "_")
        return None if name in NOT_OF_TEXTS else data.decode(charset)
    except (LookupError, ValueError):  # ValueError: a NUL in the name, or bytes that do not fit
        return None
