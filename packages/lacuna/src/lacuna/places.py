"""Where a document comes from, and where in it something stands, so that a reader can go there."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

Number = TypeVar("Number", int, str)


class PlaceUnit(StrEnum):
    """What the numbers of places count."""

    LINE = "line"
    PAGE = "page"
    ROW = "row"
    CELL = "cell"


@dataclass(frozen=True, slots=True)
class Place:
    """One place: a file, a line, page or row of it if that is known, and an address that opens it.

    >>> str(Place("guide/setup.md", 12)), str(Place("report.pdf", 3, PlaceUnit.PAGE))
    ('guide/setup.md:12', 'report.pdf, page 3')
    """

    file: str
    number: int | None = None
    unit: PlaceUnit = PlaceUnit.LINE
    fragment: str = ""
    url: str = ""

    def __str__(self) -> str:
        if self.number is None:
            return f"{self.file}#{self.fragment}" if self.fragment else self.file or self.url
        if self.unit is PlaceUnit.LINE:
            return f"{self.file}:{self.number}"
        return f"{self.file}, {self.unit} {self.number}"

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON: the number under the name of what it counts, where it is known.

        >>> Place("report.pdf", 3, PlaceUnit.PAGE).as_json()
        {'file': 'report.pdf', 'page': 3, 'fragment': '', 'url': '', 'text': 'report.pdf, page 3'}
        """
        counted = {} if self.number is None else {str(self.unit): self.number}
        named = {"fragment": self.fragment, "url": self.url, "text": str(self)}
        return {"file": self.file, **counted, **named}


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that a document was read from, and where the parts of its text stand there.

    ``root`` is the source: a folder, an archive, or the file itself; ``file`` is the path in it.
    ``url`` is an address of the document's own, where it has one. ``marks`` say from which offset
    of the text on it stands on which line (or page, or row), ``anchors`` which named part begins
    there; both ascend.

    >>> origin = Origin("notes/a.md", marks=((0, 1), (40, 3)))
    >>> str(origin.at(41))
    'notes/a.md:3'
    """

    file: str
    root: str = ""
    url: str = ""
    unit: PlaceUnit = PlaceUnit.LINE
    marks: tuple[tuple[int, int], ...] = ()
    anchors: tuple[tuple[int, str], ...] = ()

    def at(self, offset: int) -> Place:
        """The place of one character of the text."""
        number = _last(self.marks, offset)
        fragment = _last(self.anchors, offset) or ""
        return Place(self.file, number, self.unit, fragment, self._address(number, fragment))

    def _address(self, number: int | None, fragment: str) -> str:
        address = self.url or self._file_address()
        if not address:
            return ""
        if number is not None and self.unit is PlaceUnit.PAGE:
            fragment = f"page={number}"
        return f"{address}#{quote(fragment, safe='=')}" if fragment else address

    def _file_address(self) -> str:
        """The file on this machine; what lies inside an archive has no address of its own."""
        root = Path(self.root)
        if not self.root or not root.is_absolute():
            return ""
        if root.is_dir():
            path = root / self.file
            if (root / ".obsidian").is_dir():
                return f"obsidian://open?path={quote(str(path), safe='')}"
            return path.as_uri()
        return root.as_uri()


def _last(marks: tuple[tuple[int, Number], ...], offset: int) -> Number | None:
    at = bisect_right(marks, offset, key=lambda mark: mark[0]) - 1
    return marks[at][1] if at >= 0 else None
