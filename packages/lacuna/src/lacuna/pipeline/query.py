"""What can be asked, and of what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lacuna.errors import LacunaError
from lacuna.pipeline.result import OnStep, Result
from lacuna.types import AnswerKind, Document, Turn

if TYPE_CHECKING:
    from lacuna.corpus.store import Store


LONGEST_QUESTION = 2_000
"""Characters. Of one that the reader cannot read whole, a part is read, and told."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question, and what it is asked of: a context, a document of the corpus, or the corpus."""

    question: str
    context: Document | None = None
    title: str | None = None
    history: tuple[Turn, ...] = ()
    hops: int | None = None
    """Other than the pipeline's own, for this question alone; ``windows`` likewise."""
    windows: int | None = None
    model: str | None = None
    """Which of several is to answer, where there are several."""

    @property
    def is_limited(self) -> bool:
        """True if it has limits of its own."""
        return self.hops is not None or self.windows is not None

    @property
    def search_text(self) -> str:
        """The words to search with; a follow-up leaves out what its dialog is about."""
        if not self.history:
            return self.question
        last = self.history[-1]
        answer = last.answer.text if last.answer and last.answer.kind is AnswerKind.SPAN else ""
        return f"{self.question} {last.question} {answer}".strip()


def check_length(question: str) -> None:
    """Raise if a question is longer than one may be."""
    if len(question) > LONGEST_QUESTION:
        raise LacunaError(
            f"The question has {len(question):,} characters, and at most {LONGEST_QUESTION:,} can "
            "be asked. Ask it shorter, or give the long part as text."
        )


class Answerer(Protocol):
    """Answers questions over a corpus: the pipeline, or anything that does the same.

    Several threads may ask at the same time.
    """

    @property
    def store(self) -> Store:
        """The corpus."""
        ...

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` gets each step when it is done."""
        ...
