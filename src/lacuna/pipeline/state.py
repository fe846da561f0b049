"""One question on its way through the stages."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lacuna.answer_mode import AnswerMode
from lacuna.corpus.excerpt import Excerpt
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.links import LinkTarget
from lacuna.pipeline.query import Query
from lacuna.pipeline.trace import Candidate, OnStep, Stage, Step
from lacuna.retrieve.windows import Window
from lacuna.types import Answer, Document, Evidence, Prediction, Question, Span, SupportingFact

if TYPE_CHECKING:
    from lacuna.pipeline.rating.rated_answers import RatedAnswer


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be read together.

    ``question`` is what the reader gets; ``texts`` are its texts, by the title under which the
    reader knows them; ``windows`` those of them that were found.
    """

    question: Question
    texts: dict[str, Excerpt]
    windows: tuple[Window, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader said of a selection, and the way from its excerpts back to the documents.

    ``rank`` says how many windows were found before one that was read alone.
    """

    selection: Selection
    scored: ScoredAnswer
    rank: int = 0

    @property
    def documents(self) -> dict[str, Document]:
        """The documents that were read, by title."""
        return {text.original.title: text.original for text in self.selection.texts.values()}

    def in_documents(self, mode: AnswerMode) -> Prediction:
        """The reader's best answer, with places in the documents as they are."""
        prediction = self.scored.prediction
        answer = prediction.answer or Answer.none()
        facts = None
        if mode is AnswerMode.HOP:
            facts = tuple(self.original_fact(fact) for fact in prediction.supporting_facts or ())
        return replace(
            prediction,
            answer=replace(answer, found_at=self._original(answer.found_at)),
            evidence=self._original(prediction.evidence),
            supporting_facts=facts,
        )

    def original_fact(self, fact: SupportingFact) -> SupportingFact:
        """A sentence of an excerpt by its number in the document."""
        excerpt = self.selection.texts[fact.title]
        return SupportingFact(excerpt.original.title, excerpt.sentences[fact.sentence])

    def _original(self, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        texts = self.selection.texts
        return tuple(texts[place.document].evidence(place) for place in evidence)


@dataclass(slots=True)
class QuestionState:
    """What is known of a question so far; each stage adds to it and hands it on.

    ``context`` is what the question is asked of, ``focus`` the part of it that is read whatever
    else is found; None where a search found the context. ``is_own`` says that the context came with
    the question and is no document of the corpus. ``ranked`` holds all windows with their scores,
    ``best_relevance`` the highest that the reader gave one for its text alone. ``targets`` are
    documents to look into next, ``followed`` the link of the context that led to a document,
    ``expanded`` the documents that the search went on from. ``answered_alone`` says that the
    context needs no more texts. ``readings`` are all of them, ``reading`` the one that counts,
    ``rated`` the answers of all of them, the likeliest first.
    """

    query: Query
    on_step: OnStep | None = None
    context: Document | None = None
    focus: Excerpt | None = None
    is_own: bool = False
    hop: int = 0
    answered_alone: bool = False
    best_relevance: float = -math.inf
    ranked: dict[Window, float] = field(default_factory=dict)
    targets: dict[str, float] = field(default_factory=dict)
    links: list[LinkTarget] = field(default_factory=list)
    followed: dict[str, Span] = field(default_factory=dict)
    expanded: set[str] = field(default_factory=set)
    selection: Selection | None = None
    readings: list[Reading] = field(default_factory=list)
    reading: Reading | None = None
    rated: tuple[RatedAnswer, ...] = ()
    prediction: Prediction | None = None
    steps: list[Step] = field(default_factory=list)
    _recorded: tuple[str, tuple[Candidate, ...]] = ("", ())

    @property
    def search_text(self) -> str:
        """The words to search with."""
        return self.query.search_text

    @property
    def own_title(self) -> frozenset[str]:
        """A context that came with the question stands for the document of its title, if any."""
        return frozenset({self.context.title} if self.is_own and self.context else ())

    @property
    def milliseconds(self) -> float:
        """The time of all steps so far."""
        return sum(step.milliseconds for step in self.steps)

    def record(self, message: str, candidates: Iterable[Candidate] = ()) -> None:
        """Called by a stage: what it did for this question, for the trace."""
        self._recorded = message, tuple(candidates)

    def finish_step(self, stage: Stage, milliseconds: float) -> None:
        """Called when a stage is done: what it recorded becomes a step, and is passed on."""
        step = Step(stage, self.hop, *self._recorded, milliseconds)
        self.steps.append(step)
        if self.on_step is not None:
            self.on_step(step)

    def best_windows(self) -> list[tuple[Window, float]]:
        """The ranked windows, the best first; equal ones in the order in which they were found."""
        return sorted(self.ranked.items(), key=lambda pair: -pair[1])
