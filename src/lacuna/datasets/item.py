"""What an official file is made of: its items, and the forms in which they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lacuna.datasets.fields import HIDDEN, Fields
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Document, Extra, Question

OFFICIAL_ID = HIDDEN + "official id"
"""Where a question remembers the id that its file gives it, if its own is another one."""


def official_id(question: Question) -> str:
    """The id that a question has in its file."""
    return str(question.extra.get(OFFICIAL_ID, question.id))


def under_id(question: Question, id_: str) -> Question:
    """The question under another id; its file keeps the official one."""
    return replace(question, id=id_, extra={**question.extra, OFFICIAL_ID: official_id(question)})


@dataclass(frozen=True, slots=True)
class Block:
    """A text and the questions asked of it.

    ``document`` is None where each question brings its own texts (HotpotQA, OpenBookQA).
    """

    questions: tuple[Question, ...]
    document: Document | None = None
    id: str = ""
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Item:
    """One element of an official file: an article, a passage, a dialog or a single question."""

    blocks: tuple[Block, ...]
    extra: Extra = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, question: Question) -> Item:
        """An item that is a single question."""
        return cls((Block((question,)),))

    @property
    def questions(self) -> Iterator[Question]:
        """All questions, in the file's order."""
        for block in self.blocks:
            yield from block.questions

    @property
    def question(self) -> Question:
        """The question of an item that holds just one."""
        (only,) = self.questions
        return only


@dataclass(frozen=True, slots=True)
class Raw:
    """One element of a file on its way into the data model."""

    value: Any
    key: str | None
    number: int
    gold_only: bool

    @property
    def fields(self) -> Fields:
        """The element as an object."""
        return Fields(self.value)


@dataclass(frozen=True, slots=True)
class Form:
    """One of the ways in which a dataset's files are written.

    ``looks_like`` tells this form from all others by a glance at one element.
    """

    name: str
    shapes: tuple[Shape, ...]
    looks_like: Callable[[Any], bool]
    decode: Callable[[Raw], Item]
    encode: Callable[[Item], Encoded]
