"""Pictures for tests, drawn here."""

from __future__ import annotations

import struct
import zlib


def png(width: int = 64, height: int = 48, colour: tuple[int, int, int] = (40, 110, 160)) -> bytes:
    """A whole PNG of one colour."""
    rows = (b"\0" + bytes(colour) * width) * height
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_part, *zip(*parts, strict=True)))


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
