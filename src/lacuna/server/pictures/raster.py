"""What a picture is, by its first bytes: its kind and its size in points. Its name says nothing.

Only pictures of points are known. Others, such as SVG, can hold scripts and addresses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

HEAD = 256 << 10
"""Bytes that are looked at; a photograph may have its colours described before its size."""
SMALLEST = 24
"""Points across and down; what is smaller is a bullet, a badge or a spacer."""
LARGEST = 20_000
MOST_POINTS = 50_000_000
"""A few bytes can tell a browser to fill its memory."""
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The marks in a JPEG that a size follows."""


@dataclass(frozen=True, slots=True)
class Raster:
    """A picture of points."""

    media_type: str
    width: int
    height: int

    @property
    def can_be_shown(self) -> bool:
        """Whether it is neither too small to say something nor too large to be drawn."""
        sides = (self.width, self.height)
        fits = all(SMALLEST <= side <= LARGEST for side in sides)
        return fits and self.width * self.height <= MOST_POINTS


def raster_of(head: bytes) -> Raster | None:
    """The picture that begins with these bytes; None where it is none that is known.

    >>> raster_of(b"GIF89a" + bytes([64, 0, 32, 0]))
    Raster(media_type='image/gif', width=64, height=32)
    >>> raster_of(b"<svg xmlns='http://www.w3.org/2000/svg'/>") is None
    True
    """
    for begins, media_type, size_of in _KINDS:
        if begins(head):
            size = size_of(head)
            return size and Raster(media_type, *size)
    return None


def _png(head: bytes) -> tuple[int, int] | None:
    if head[12:16] != b"IHDR" or len(head) < 24:
        return None
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def _gif(head: bytes) -> tuple[int, int] | None:
    if len(head) < 10:
        return None
    return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")


def _jpeg(head: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        mark = head[at + 1]
        if mark in _FRAMES:
            down, across = head[at + 5 : at + 7], head[at + 7 : at + 9]
            return int.from_bytes(across, "big"), int.from_bytes(down, "big")
        at += 1 if mark == 0xFF else 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None


def _webp(head: bytes) -> tuple[int, int] | None:
    if len(head) < 30:
        return None
    match head[12:16]:
        case b"VP8 " if head[23:26] == b"\x9d\x01\x2a":
            across, down = (int.from_bytes(head[at : at + 2], "little") for at in (26, 28))
            return across & 0x3FFF, down & 0x3FFF
        case b"VP8L" if head[20] == 0x2F:
            bits = int.from_bytes(head[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8X":
            across, down = (int.from_bytes(head[at : at + 3], "little") for at in (24, 27))
            return across + 1, down + 1
    return None


_Begins = Callable[[bytes], bool]
_SizeOf = Callable[[bytes], tuple[int, int] | None]
_KINDS: tuple[tuple[_Begins, str, _SizeOf], ...] = (
    (lambda head: head.startswith(b"\x89PNG\r\n\x1a\n"), "image/png", _png),
    (lambda head: head.startswith((b"GIF87a", b"GIF89a")), "image/gif", _gif),
    (lambda head: head.startswith(b"\xff\xd8\xff"), "image/jpeg", _jpeg),
    (lambda head: head[:4] == b"RIFF" and head[8:12] == b"WEBP", "image/webp", _webp),
)
