"""What a source holds beside documents; it has a file of its own so that a store can be opened
without loading the document formats."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.types import Document


@dataclass(frozen=True, slots=True)
class Redirect:
    """A title that stands for another one."""

    title: str
    target: str
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A page or file that gave no document, and why; always counted and reported."""

    where: str
    reason: str


SourceItem = Document | Redirect | Skipped
