"""What a document consists of: paragraphs, and tables of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from lacuna.corpus.pages.table import Run


@dataclass(slots=True)
class Paragraph:
    """Runs of text, and what its marks say it is; ``notes`` are footnotes named in it."""

    style: str = ""
    level: int = 0
    numbered: bool = False
    is_initial: bool = False  # a large letter that the next paragraph goes on with
    runs: list[Run] = field(default_factory=list)
    bookmarks: list[str] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Block] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its words in one line."""
        return " ".join("".join(run.text for run in self.runs).split())


@dataclass(slots=True)
class TableCell:
    """A cell: what it holds, how far it reaches, and whether it goes on from the row above."""

    blocks: list[Block] = field(default_factory=list)
    across: int = 1
    merge: str = ""


@dataclass(slots=True)
class TableRow:
    """A row, and whether it is one of headings."""

    cells: list[TableCell] = field(default_factory=list)
    heading: bool = False


@dataclass(slots=True)
class Table:
    """Rows; ``first_is_heading`` where the table's look sets the first one off."""

    rows: list[TableRow] = field(default_factory=list)
    first_is_heading: bool = False


Block = Paragraph | Table
