"""What people label by hand: the categories of a paper's table, with the paper's shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from lacuna.types import Document, Question

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Category:
    """One label, what it means, and its share in the paper in %, if the paper gives it."""

    name: str
    about: str
    paper: float | None = None


@dataclass(frozen=True, slots=True)
class LabelTable:
    """One table of a paper: a column of the sheet that takes one of its categories.

    Where a question may have several of them (``several``), each is a column of its own for yes
    or no. ``note`` says what else the paper tells of these labels.
    """

    title: str
    column: str
    categories: tuple[Category, ...]
    several: bool = False
    note: str = ""

    def columns(self) -> Mapping[str, tuple[str, ...]]:
        """The columns of the sheet, each with the labels that it takes.

        >>> LabelTable("Gaps", "gap", (Category("one", "…"),), several=True).columns()
        {'one': ('yes', 'no')}
        """
        names = tuple(category.name for category in self.categories)
        return dict.fromkeys(names, (YES, NO)) if self.several else {self.column: names}


def _nothing_more(question: Question) -> Mapping[str, str]:
    return {}


def titled(documents: Iterable[Document]) -> str:
    """Texts in one cell, each behind its title.

    >>> titled([Document("Ferry", "It sank."), Document("Pier", "It stands.")])
    'Ferry: It sank. / Pier: It stands.'
    """
    return " / ".join(f"{document.title}: {document.text.strip()}" for document in documents)


@dataclass(frozen=True, slots=True)
class LabellingTask:
    """What is labelled together on one sheet, and how many questions the paper labelled.

    Where ``wrong_by`` is given, only questions are labelled that a system answered wrongly: whose
    value of that measure is 0. With ``one_a_text``, no two questions are about the same text.
    ``material`` is what a row shows besides what every sheet does, by the names of its columns.
    """

    name: str
    tables: tuple[LabelTable, ...]
    size: int = 100
    wrong_by: str | None = None
    one_a_text: bool = False
    material: Callable[[Question], Mapping[str, str]] = field(default=_nothing_more)

    def columns(self) -> dict[str, tuple[str, ...]]:
        """All columns to fill, each with the labels that it takes."""
        return {name: labels for table in self.tables for name, labels in table.columns().items()}
