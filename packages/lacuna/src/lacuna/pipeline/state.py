"""One question on its way through the stages, and the parts that every stage works with."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from lacuna.answers import AnswerMode
from lacuna.corpus.passages import Excerpt
from lacuna.corpus.store import Store
from lacuna.models.calibration import AnswerScorer, Tuning
from lacuna.models.reader.reader import SURE, LinkScores, ScoredAnswer, SecondLook
from lacuna.models.registry import Reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Candidate, OnStep, Stage, Step
from lacuna.retrieve.registry import Retriever
from lacuna.retrieve.windows import Window, WindowIndex
from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    Prediction,
    Question,
    Span,
    SupportingFact,
)

if TYPE_CHECKING:
    from lacuna.pipeline.rating import RatedAnswer


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """A document that links of a text lead to; ``places`` are those links, the best first.

    ``title`` is the document's own; where there is none (``dangling``), what the link says.
    """

    title: str
    score: float
    places: tuple[Span, ...]
    dangling: bool
    chosen: bool


@runtime_checkable
class PipelineReader(Protocol):
    """A reader that can do all that the stages ask for, as the shipped model can."""

    def score(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[ScoredAnswer]:
        """What could be answered, and how much likelier that is than none."""
        ...

    def read_alone(
        self,
        asked: Sequence[tuple[str, Sequence[Document]]],
        *,
        mode: AnswerMode = AnswerMode.ASK,
    ) -> list[list[ScoredAnswer]]:
        """What each document by itself answers, and how likely it is to help."""
        ...

    def link_scores(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[LinkScores]:
        """Of each question's context alone: its links, scored, and what it answers by itself."""
        ...

    def fits(self, question: Question, *, mode: AnswerMode = AnswerMode.ASK) -> bool:
        """Whether all texts of a question can be read together."""
        ...

    def tuning(self, mode: AnswerMode, *, over_corpus: bool = False) -> Tuning:
        """When to say none, and how sure the answers are, as fitted on other questions."""
        ...

    def answer_scorer(self, mode: AnswerMode) -> AnswerScorer | None:
        """What chooses among the answers of several texts; None where all are read together."""
        ...


SILENT = ScoredAnswer(Prediction(), 0.0, -math.inf)


class PlainReader:
    """Any reader as the stages need it: what it cannot do itself goes by the words of the texts."""

    def __init__(self, reader: Reader, windows: WindowIndex) -> None:
        self._reader = reader
        self._terms = windows.terms

    def score(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[ScoredAnswer]:
        """The reader's predictions, as likely as it says itself."""
        return [_scored(prediction) for prediction in self._reader.read(questions, mode=mode)]

    def read_alone(
        self,
        asked: Sequence[tuple[str, Sequence[Document]]],
        *,
        mode: AnswerMode = AnswerMode.ASK,
    ) -> list[list[ScoredAnswer]]:
        """No answers: a reading may be dear. The relevance goes from −5 for a text with none of the
        question's words to 5 for one with all of them."""
        return [
            [
                replace(SILENT, relevance=10 * self._share(question, document) - 5)
                for document in documents
            ]
            for question, documents in asked
        ]

    def link_scores(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[LinkScores]:
        """Nothing is known of the links but their words, which the stage looks at itself."""
        counts = (len(one.context.links) if one.context else 0 for one in questions)
        return [LinkScores([-math.inf] * count, SILENT) for count in counts]

    def fits(self, question: Question, *, mode: AnswerMode = AnswerMode.ASK) -> bool:
        """The number of windows is the only limit that is known."""
        return True

    def tuning(self, mode: AnswerMode, *, over_corpus: bool = False) -> Tuning:
        """Its own word is taken for it."""
        return Tuning()

    def answer_scorer(self, mode: AnswerMode) -> AnswerScorer | None:
        """There is but one reading, and nothing to choose from."""
        return None

    def _share(self, question: str, document: Document) -> float:
        words = set(self._terms(question))
        text = set(self._terms(f"{document.title} {document.text}"))
        return len(words & text) / len(words) if words else 0.0


def _scored(prediction: Prediction) -> ScoredAnswer:
    """A prediction with the confidence that it came with as its only score."""
    rated = prediction.confidence is not None
    sure = 1.0 if prediction.confidence is None else prediction.confidence
    if prediction.answer is None or prediction.answer.kind is AnswerKind.NONE:
        answerable = min(max(1 - sure, 1e-9), 0.5)
        margin = math.log(answerable / (1 - answerable))
        return ScoredAnswer(prediction, 0.0, margin, rated=rated)
    return ScoredAnswer(prediction, math.log(max(sure, 1e-9)), SURE, rated=rated)


@runtime_checkable
class SecondReader(Protocol):
    """A reader that judges answers which it reads again."""

    @property
    def looks_twice(self) -> bool:
        """Whether it has learned to."""
        ...

    def look_again(
        self, asked: Sequence[tuple[str, Sequence[tuple[Answer, Document]]]]
    ) -> list[list[SecondLook]]:
        """How each question's answers are judged."""
        ...


@dataclass(frozen=True, slots=True)
class Components:
    """Shared by all questions."""

    store: Store
    reader: PipelineReader
    windows: WindowIndex
    retriever: Retriever
    config: PipelineConfig
    mode: AnswerMode
    scorer: AnswerScorer | None = None
    """What chooses among the answers of several texts; None where all are read together."""
    second: SecondReader | None = None
    """What reads the likeliest answers again; None where no weight of the scorer asks for it."""

    @property
    def tuning(self) -> Tuning:
        """What was fitted for this mode over texts that were searched for."""
        return self.reader.tuning(self.mode, over_corpus=True)


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

    def sentence(self, fact: SupportingFact) -> tuple[str, Span]:
        """The title of the document that has a sentence of an excerpt, and its place in there."""
        original = self.original_fact(fact)
        return original.title, self.documents[original.title].sentences[original.sentence]

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
    context needs no more texts. ``readings`` are all of them, ``reading`` the one that counts.
    ``rated`` are the answers of the first ``rated_readings`` of them, the likeliest first, and
    ``looked`` what a second look said of answers in their passages. ``recorded`` is what a stage
    says for the trace that it did.
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
    rated_readings: int = 0
    looked: dict[Hashable, SecondLook] = field(default_factory=dict)
    prediction: Prediction | None = None
    steps: list[Step] = field(default_factory=list)
    recorded: tuple[str, tuple[Candidate, ...]] = ("", ())
    search_text: str = field(init=False)

    def __post_init__(self) -> None:
        self.search_text = self.query.search_text

    @property
    def own_title(self) -> frozenset[str]:
        """A context that came with the question stands for the document of its title, if any."""
        return frozenset({self.context.title} if self.is_own and self.context else ())

    @property
    def milliseconds(self) -> float:
        """The time of all steps so far."""
        return sum(step.milliseconds for step in self.steps)

    def finish_step(self, stage: Stage, milliseconds: float) -> None:
        """Called when a stage is done: what it recorded becomes a step, and is passed on."""
        step = Step(stage, self.hop, *self.recorded, milliseconds)
        self.steps.append(step)
        if self.on_step is not None:
            self.on_step(step)

    def best_windows(self) -> list[tuple[Window, float]]:
        """The ranked windows, the best first; equal ones in the order in which they were found."""
        return sorted(self.ranked.items(), key=lambda pair: -pair[1])
