"""The data model: everything else speaks these.

All positions are character offsets into a document's text, half-open: ``text[start:end]``.
Every type is frozen; build a changed copy with ``dataclasses.replace``.
``docs/data-model.md`` explains the whole of it on one page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import Any, NamedTuple

from lacuna.places import Origin, Place

Extra = Mapping[str, Any]
"""Fields of an official file that the data model has no name for, kept as they were read."""


class Span(NamedTuple):
    """A stretch of a document's text."""

    start: int
    end: int


class AnswerKind(StrEnum):
    """What kind of answer it is; every answer has exactly one."""

    SPAN = "span"
    SPANS = "spans"
    NUMBER = "number"
    YES = "yes"
    NO = "no"
    NONE = "none"
    CHOICE = "choice"


class Role(StrEnum):
    """Why a piece of evidence is there."""

    ANSWER = "answer"
    SUPPORT = "support"
    PLAUSIBLE = "plausible"
    KEY_SPAN = "key span"


class YesNo(StrEnum):
    """QuAC's first dialog act: does the answer affirm, deny, or neither?"""

    YES = "y"
    NO = "n"
    NEITHER = "x"


class FollowUp(StrEnum):
    """QuAC's second dialog act: is the topic worth a further question?"""

    YES = "y"
    MAYBE = "m"
    NO = "n"


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a document's text; ``text[start:end]`` is its anchor."""

    start: int
    end: int
    target: str
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """The part of a text under one heading, with the parts inside it."""

    path: tuple[str, ...]
    """The title and the headings, the outermost first."""
    start: int
    """Where it begins, with its heading."""
    end: int
    """Where it ends, exclusive."""


class MarkupKind(StrEnum):
    """What a stretch of a text is, for who shows it."""

    HEADING = "heading"
    ITEM = "item"
    CODE = "code"
    QUOTE = "quote"
    ROW = "row"
    LABEL = "label"
    CELL = "cell"
    STRONG = "strong"
    EMPHASIS = "emphasis"
    INLINE_CODE = "inline code"


class Markup(NamedTuple):
    """A stretch of a text and what it is. Paragraphs need none.

    ``level`` is that of a heading, or how deep an item is nested, from 1. ``number`` is that of an
    item in a numbered list, 0 in others, and -1 where a block goes on with the item before it. A
    row of a table has its cells, each after the label of its column.
    """

    kind: MarkupKind
    start: int
    end: int
    level: int = 0
    number: int = 0


class Picture(NamedTuple):
    """A picture that a file shows: ``text[start:end]`` are the words that stand for it, if any do.

    ``target`` is its path as the file writes it. One that stands between two blocks has its place
    in the space between them.
    """

    start: int
    end: int
    target: str


@dataclass(frozen=True, slots=True)
class Document:
    """A titled text with its sentences and links, and its paragraphs and sections if known.

    >>> page = Document("Ferry", "It sails. It is old.", sentences=(Span(0, 9), Span(10, 20)))
    >>> page.sentence(1)
    'It is old.'
    """

    title: str
    text: str
    sentences: tuple[Span, ...] = ()
    links: tuple[Link, ...] = ()
    paragraphs: tuple[Span, ...] = ()
    sections: tuple[Section, ...] = ()
    extra: Extra = field(default_factory=dict, hash=False)
    origin: Origin | None = None
    """The file that it was read from, if that is known."""
    markup: tuple[Markup, ...] = ()
    """What its parts are, in the order of the text, as far as that was kept when it was read."""
    pictures: tuple[Picture, ...] = ()
    """The pictures of its folder that it shows, in the order of the text."""

    def __post_init__(self) -> None:
        size = len(self.text)
        pieces = (self.sentences, self.links, self.paragraphs, self.sections, self.markup)
        for piece in chain[Span | Link | Section | Markup | Picture](*pieces, self.pictures):
            start, end = piece.start, piece.end
            if not 0 <= start <= end <= size:
                raise ValueError(
                    f"document {self.title!r} has {size} characters, "
                    f"so a span from {start} to {end} does not fit in it"
                )

    def sentence(self, index: int) -> str:
        """The text of one sentence."""
        start, end = self.sentences[index]
        return self.text[start:end]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A stretch of a document, named by its title, and what it is evidence for."""

    document: str
    """The title of the document."""
    start: int
    """Where it begins in the text of the document, in code points."""
    end: int
    """Where it ends, exclusive."""
    role: Role = Role.SUPPORT
    """Why it is there."""
    score: float | None = None
    """How strongly it speaks, where that was measured."""

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"evidence cannot run from {self.start} to {self.end}")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of any kind; its JSON begins with ``text``.

    Build one with the class methods.

    >>> Answer.span("Ellen Voss").text
    'Ellen Voss'
    >>> Answer.number(12, unit="years", expression="1931 - 1919").text
    '12 years'
    """

    kind: AnswerKind
    """What kind of answer it is."""
    texts: tuple[str, ...] = ()
    """As it stands in the documents: one for a span or a number, several for spans, none for
    others."""
    found_at: tuple[Evidence, ...] = ()
    """Where the texts stand, if that is known."""
    value: float | None = None
    """The value of a number."""
    unit: str = ""
    """The unit of a number; empty where there is none."""
    expression: str = ""
    """What a number was calculated from, such as `1931 - 1919`."""
    label: str = ""
    """The letter of a choice."""

    @classmethod
    def span(cls, text: str, *found_at: Evidence, unit: str = "") -> Answer:
        """One stretch of text; ``unit="date"`` where a dataset says that it is a date."""
        return cls(AnswerKind.SPAN, (text,), found_at, unit=unit)

    @classmethod
    def spans(cls, texts: tuple[str, ...], *found_at: Evidence) -> Answer:
        """Several segments of text."""
        return cls(AnswerKind.SPANS, texts, found_at)

    @classmethod
    def number(
        cls,
        value: float | None,
        text: str = "",
        *found_at: Evidence,
        unit: str = "",
        expression: str = "",
    ) -> Answer:
        """A number, how it was written, and the expression that gave it."""
        written = text or ("" if value is None else _digits(value))
        return cls(AnswerKind.NUMBER, (written,), found_at, value, unit, expression)

    @classmethod
    def yes(cls, *found_at: Evidence) -> Answer:
        """Yes."""
        return cls(AnswerKind.YES, (), found_at)

    @classmethod
    def no(cls, *found_at: Evidence) -> Answer:
        """No."""
        return cls(AnswerKind.NO, (), found_at)

    @classmethod
    def none(cls, *found_at: Evidence) -> Answer:
        """The question cannot be answered from the text."""
        return cls(AnswerKind.NONE, (), found_at)

    @classmethod
    def choice(cls, label: str, text: str = "") -> Answer:
        """One of the choices that the question offers."""
        return cls(AnswerKind.CHOICE, (text,) if text else (), label=label)

    @property
    def text(self) -> str:
        """The answer as a person would write it."""
        match self.kind:
            case AnswerKind.YES | AnswerKind.NO | AnswerKind.NONE:
                return str(self.kind)
            case AnswerKind.SPANS:
                return "; ".join(self.texts)
            case AnswerKind.NUMBER:
                return f"{self.texts[0]} {self.unit}".strip()
            case AnswerKind.CHOICE:
                return f"{self.label}: {self.texts[0]}" if self.texts else self.label
            case _:
                return self.texts[0]


def _digits(value: float) -> str:
    """A number with all its digits, and no ``.0`` behind a whole one."""
    return str(int(value)) if float(value).is_integer() else repr(value)


class SupportingFact(NamedTuple):
    """HotpotQA's evidence: a sentence, by its document's title and its number from 0."""

    title: str
    sentence: int


class Choice(NamedTuple):
    """One of the answers that a multiple-choice question offers."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class DialogActs:
    """QuAC's dialog acts, as far as they are known."""

    yes_no: YesNo | None = None
    """Whether the answer affirms (`y`), denies (`n`), or neither (`x`)."""
    follow_up: FollowUp | None = None
    """Whether a further question is worth asking: yes, maybe, no."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier question of a dialog and the answer it got."""

    question: str
    answer: Answer | None = None
    acts: DialogActs | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """What annotators said. A part is None where the file does not give it.

    ``answers`` are alternatives (the references). ``given`` is the answer that a dialog went on
    with. ``links`` are the titles that hold what is missing; ``relations`` are KGD's labels of
    the gap between the key span of the core fact and the right choice.
    """

    answers: tuple[Answer, ...] = ()
    given: Answer | None = None
    evidence: tuple[Evidence, ...] | None = None
    supporting_facts: tuple[SupportingFact, ...] | None = None
    links: tuple[str, ...] | None = None
    acts: DialogActs | None = None
    relations: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question with all the text that comes with it.

    ``context`` is the partial text, ``documents`` are candidates to read, ``fact`` is
    OpenBookQA's core fact. ``gold`` is None where the answer is hidden.
    """

    id: str
    text: str
    context: Document | None = None
    documents: tuple[Document, ...] = ()
    history: tuple[Turn, ...] = ()
    choices: tuple[Choice, ...] = ()
    fact: str | None = None
    gold: Gold | None = None
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Gap:
    """What is missing, and where it was looked for.

    Between a core fact and a choice, a gap may be filled.
    """

    missing: str
    """What is missing, in a sentence."""
    looked_in: tuple[str, ...] = ()
    """The documents or sections that were read for it."""
    dangling: tuple[str, ...] = ()
    """Links that lead nowhere, and may have led to it."""
    nearest: Evidence | None = None
    """The evidence that came closest."""
    nearest_place: Place | None = None
    """Where that can be looked up."""
    unread: int = 0
    """Files of the corpus that could not be read: it may stand in one of them."""
    relation: str = ""
    """What relates a fact and a choice; empty where that stays open."""
    filled: str = ""
    """The same as a sentence."""
    found: str = ""
    """What the texts say of it, as a phrase."""
    not_found: str = ""
    """What they do not say, as a phrase."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a system says of one question; a part it does not predict is None."""

    answer: Answer | None = None
    evidence: tuple[Evidence, ...] = ()
    gaps: tuple[Gap, ...] = ()
    supporting_facts: tuple[SupportingFact, ...] | None = None
    acts: DialogActs | None = None
    confidence: float | None = None
