"""The pictures of a page, noted while it is built. The text itself has only their words."""

from __future__ import annotations

import re

from lacuna.types import Picture

MOST = 1_000
"""Of a page."""
LONGEST_TARGET = 1_000
RASTER = (".png", ".jpg", ".jpeg", ".gif", ".webp")
"""How the names of pictures end that may be shown: others can hold scripts."""
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|\\\\", re.IGNORECASE)


def picture_path(target: str) -> str:
    """The path in a picture's target; nothing where it cannot be shown, or lies elsewhere.

    >>> picture_path("img/boat.png?raw=true"), picture_path("https://example.org/boat.png")
    ('img/boat.png', '')
    """
    path = re.split(r"[?#]", target.strip(), maxsplit=1)[0]
    is_path = len(path) <= LONGEST_TARGET and not _ELSEWHERE.match(path)
    return path if is_path and path.lower().endswith(RASTER) else ""


class PictureLog:
    """Collects the pictures of a page; ``size`` is always how long the text is by now."""

    def __init__(self) -> None:
        self._pictures: list[Picture] = []
        self._open = ""
        self._start = -1  # of its words; -1: the first character is still to come
        self._next: list[str] = []  # without words, at the beginning of a block
        self._between: list[str] = []  # without words, in no block

    def clear(self) -> None:
        """The page begins here; what was shown before stands before its text."""
        self._between = [*(picture.target for picture in self._pictures), *self._between]
        self._pictures.clear()

    def open(self, target: str) -> None:
        """What is added from here on are the words of a picture."""
        self._open, self._start = picture_path(target), -1

    def close(self, size: int, *, in_block: bool) -> None:
        """The words end; there may have been none."""
        target, self._open = self._open, ""
        if not target or len(self._pictures) + len(self._next) + len(self._between) >= MOST:
            return
        if self._start >= 0:
            self._pictures.append(Picture(self._start, size, target))
        elif in_block:
            self._pictures.append(Picture(size, size, target))
        else:
            self._next.append(target)

    def begin_text(self, size: int) -> None:
        """Characters are about to be added."""
        if self._next or self._between:
            before = max(0, size - 1)
            self._pictures += (Picture(before, before, target) for target in self._between)
            self._pictures += (Picture(size, size, target) for target in self._next)
            self._next, self._between = [], []
        if self._open and self._start < 0:
            self._start = size

    def end_empty_block(self) -> None:
        """A block ends in which there was no text."""
        self._between += self._next
        self._next = []

    def pictures(self, size: int) -> tuple[Picture, ...]:
        """All of them in the order of the text."""
        last = (Picture(size, size, target) for target in (*self._between, *self._next))
        return (*self._pictures, *last)
