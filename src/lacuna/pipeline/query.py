"""What can be asked: the pipeline, or anything that does the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from lacuna.corpus.store import Store
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import OnStep
from lacuna.types import Document, Turn


@dataclass(frozen=True, slots=True)
class Query:
    """A question, and what it is asked of: a passage, a document of the corpus, or the corpus."""

    question: str
    context: Document | None = None
    title: str | None = None
    history: tuple[Turn, ...] = field(default=())


class Answerer(Protocol):
    """Answers questions over a corpus; several threads may ask at the same time."""

    @property
    def store(self) -> Store:
        """The corpus."""
        ...

    def ask(self, asked: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` is told of each step when it is done."""
        ...
