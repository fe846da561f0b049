"""What a person gets for a question, and the steps to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from html import escape
from typing import Any

from lacuna.json_form import HIDDEN, NULLABLE, plain, without
from lacuna.places import Place
from lacuna.types import Answer, AnswerKind, DialogActs, Document, Gap, Prediction, Span


class Stage(StrEnum):
    """The stages that a question passes, in this order."""

    START = "start"
    """A context to begin with is searched for, where none was given."""
    SPOT = "spot"
    """Which links of the context may hold what is missing; with choices, the fact's key span."""
    FIND = "find"
    """Windows of the linked (or found) documents, ranked; with choices, lines of knowledge."""
    READ = "read"
    """The context and the selected windows, read together."""
    ANSWER = "answer"
    """The decision: this answer, or none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that a step considered: a link, a stretch of a document, or a possible answer.

    For SPOT it is a link: ``source`` is the document with the link, ``start`` and ``end`` are
    places in it, and ``title`` is where it leads. For START and FIND it is a stretch of the
    document of that title. For READ and ANSWER it is a possible answer, with its ``text``, and
    where it stands if that is known. Of a question with choices, FIND has lines of knowledge with
    their source, and READ each choice with its clearest line.
    """

    title: str
    """The document that it is, leads to, or stands in."""
    score: float = field(metadata=NULLABLE)
    """Null where it was not scored."""
    chosen: bool
    """Whether the search went on with it."""
    text: str = ""
    """Its words."""
    start: int | None = None
    """Where it begins in its document; a link, in the document with the link."""
    end: int | None = None
    """Where it ends, exclusive."""
    section: tuple[str, ...] = ()
    """The headings above it, the outermost first."""
    dangling: bool = False
    """A link that leads nowhere."""
    source: str = ""
    """Of a link, the document that it stands in; else empty."""


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a search with its candidates, the best first, and the time it took."""

    stage: Stage
    """Which stage of the search it is."""
    hop: int
    """How many links had been followed, counted from 1."""
    message: str
    """What happened, in one plain sentence."""
    candidates: tuple[Candidate, ...]
    """What was considered, the best first."""
    milliseconds: float
    """The time that it took."""


OnStep = Callable[[Step], None]
"""Called with each step when it is done."""


PERHAPS = 0.1
"""The chance from which on the likeliest alternative is told where no answer is given."""
ALTERNATIVES = 5
"""Other answers that a result tells of."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence (or a few) of a document; all numbers are offsets into its text."""

    document: str
    """The title of the document."""
    section: tuple[str, ...]
    """The headings above it, the outermost first."""
    text: str
    """The words of it."""
    start: int
    """Where it begins in the text of the document."""
    end: int
    """Where it ends, exclusive."""
    marks: tuple[Span, ...] = ()
    """What the answer was taken from."""
    followed: Span | None = None
    """The link of the context that led there, by its offsets in the context; null for the context
    itself and for what a search found."""
    place: Place | None = None
    """Where the first mark stands in its file, if it is known."""


class Degree(StrEnum):
    """How firmly an answer is given."""

    ANSWER = "answer"
    PROBABLE = "probable"
    """The likeliest answer, but less sure than was asked for."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another answer that was considered, how likely it is right, and what speaks for it."""

    answer: Answer
    """The answer."""
    confidence: float
    """How likely it is right, from 0 to 1."""
    quotes: tuple[Quote, ...] = ()
    """The sentences that speak for it."""


def _source(quote: Quote) -> str:
    place = "" if quote.place is None else f", {quote.place}"
    return f"{' › '.join((quote.document, *quote.section[1:]))}{place}"


@dataclass(frozen=True, slots=True)
class Result:
    """An answer with everything that explains it; its JSON has these fields in this order."""

    question: str
    """What was asked, as it was typed."""
    context: Document | None
    """The text that the question was asked of, given or found; in JSON its title."""
    answer: Answer = field(init=False, repr=False)
    """The answer; of the kind `none` where nothing answers."""
    degree: Degree = field(init=False, repr=False)
    """Whether it is given as an answer, as a probable one (the likeliest, but less sure
    than was asked for), or not at all."""
    confidence: float | None = field(init=False, repr=False)
    """How likely the answer is right, from 0 to 1; null where the reader does not say."""
    measured: bool = field(default=False, kw_only=True)
    """Whether `confidence` was measured on questions whose answers are known; if not, it is what
    the model says of itself."""
    alternatives: tuple[Alternative, ...] = field(default=(), kw_only=True)
    """The likeliest first; where no answer was given, those that were not sure enough."""
    read_as: str = field(default="", kw_only=True, metadata=NULLABLE)
    """What a follow-up was understood as, or the part of a long question that was read; null where
    that is what was typed."""
    advice: str = field(default="", kw_only=True, metadata=NULLABLE)
    """What can be asked, where this was no question for documents, such as "hello" or a wish for a
    summary; the quotes are the nearest passages then. Null otherwise."""
    prediction: Prediction = field(metadata=HIDDEN)
    """What the reader said: the answer, its confidence, gaps and dialog acts."""
    quotes: tuple[Quote, ...]
    """The sentences that the answer rests on; of a question with choices, lines of knowledge."""
    gaps: tuple[Gap, ...] = field(init=False, repr=False, metadata=without("relation", "filled"))
    """What is missing, where the question is not or only partly answered."""
    acts: DialogActs | None = field(init=False, repr=False)
    """Dialog acts, where the model tells them."""
    milliseconds: float = field(init=False, repr=False)
    """The time that the search took."""
    steps: tuple[Step, ...]
    """How it was found, step by step."""
    min_confidence: float = field(default=0.0, kw_only=True, metadata=HIDDEN)
    """How sure the answer is to be; it is called probable where it is less."""
    probable: bool | None = field(default=None, metadata=HIDDEN)
    """Whether it is called so, where that is known already."""

    def __post_init__(self) -> None:
        answer = self.prediction.answer or Answer.none()
        sure, probable = self.prediction.confidence, self.probable
        if probable is None:
            probable = sure is not None and sure < self.min_confidence
        degree = Degree.PROBABLE if probable else Degree.ANSWER
        derived = {
            "answer": answer,
            "degree": Degree.NONE if answer.kind is AnswerKind.NONE else degree,
            "confidence": self.prediction.confidence,
            "gaps": self.prediction.gaps,
            "acts": self.prediction.acts,
            "milliseconds": sum(step.milliseconds for step in self.steps),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        sure = "" if self.confidence is None else f" {self.confidence:.2f}"
        return f"<Result {self.degree}{sure}: {self.answer.text!r} to {self.question!r}>"

    def __str__(self) -> str:
        return self.answer.text

    def _repr_html_(self) -> str:
        """The answer with its quotes, as a notebook shows it."""
        sure = "" if self.confidence is None else f" · {self.confidence:.0%}"
        missing = "".join(f"<p>{escape(gap.missing)}</p>" for gap in self.gaps)
        quotes = "".join(
            f"<blockquote>{escape(quote.text)}<br><small>{escape(_source(quote))}</small></blockquote>"
            for quote in self.quotes
        )
        answer = f"<b>{escape(self.answer.text)}</b> <small>{self.degree}{sure}</small>"
        return f"<div><p>{escape(self.question)}</p><p>{answer}</p>{missing}{quotes}</div>"

    def held_to(self, min_confidence: float) -> Result:
        """The same, called probable where it is less sure than that."""
        return replace(self, min_confidence=min_confidence, probable=None)

    @property
    def perhaps(self) -> Alternative | None:
        """The likeliest alternative, where no answer was sure enough to be given."""
        best = next(iter(self.alternatives), None)
        told = self.degree is Degree.NONE and best is not None and best.confidence >= PERHAPS
        return best if told else None

    def as_json(self, *, trace: bool = True) -> dict[str, Any]:
        """Plain values for JSON; the context by its title."""
        return dict(plain(self, () if trace else ("steps",)))
