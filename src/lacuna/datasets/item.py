"""The unit that an official file is made of, in the data model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lacuna.types import Document, Extra, Question


@dataclass(frozen=True, slots=True)
class Block:
    """A passage and the questions asked of it.

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
