"""A question of IIRC's train split taken apart: its paragraph, its quotes, its typed answers.

Two files hold the split. IIRC's own has the paragraphs and, as evidence, offsets in them and quotes
of the linked articles. The snippet file has each question by itself with two short texts, which are
read as documents; few of its questions have their paragraph.
"""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.datasets.iirc.iirc_snippets_format import LINKED, OWN
from lacuna.train.data.iirc.answers import typed_answers
from lacuna.train.data.iirc.hard_negatives import QuotedText
from lacuna.train.data.names import NAME, NO_NAME
from lacuna.train.data.openings import opening_title
from lacuna.train.data.text_search import find_text
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question

CONTEXT = "passage"
"""The title of every question's own paragraph."""


@dataclass(frozen=True, slots=True)
class QuotedQuestion:
    """A question with its evidence. ``own`` is the evidence in its context, ``quote`` that of a
    linked article, None where there is none."""

    question: Question
    context: Document
    own: Evidence
    quote: QuotedText | None
    answers: tuple[Answer, ...]

    @property
    def whole(self) -> bool:
        """Whether the context is the whole paragraph."""
        return self.question.context is not None

    @property
    def own_text(self) -> str:
        """The evidence in the context."""
        return self.context.text[self.own.start : self.own.end]

    @property
    def answerable(self) -> bool:
        """Whether there is an answer."""
        return self.answers[0].kind is not AnswerKind.NONE

    @property
    def answered_by_context(self) -> bool:
        """Whether the context alone contains an answer."""
        return any(contains_answer(answer, self.context.text) for answer in self.answers)


def quoted_question(question: Question) -> QuotedQuestion:
    """Take a question apart; without answers where its texts do not contain them."""
    own, linked = _evidence_texts(question)
    context = Document(CONTEXT, question.context.text if question.context else own)
    start = max(context.text.find(own), 0)
    own_place = Evidence(CONTEXT, start, min(start + len(own), len(context.text)))
    gold = question.gold or Gold((Answer.none(),))
    title = gold.links[0] if gold.links else quote_title(linked)
    none = gold.answers[0].kind is AnswerKind.NONE
    repeated = " ".join(linked.split()).rstrip(" .") in " ".join(context.text.split())
    quote = (
        None
        if none or not linked or repeated
        else QuotedText(linked, title, bool(question.context))
    )
    texts = (*((quote.text,) if quote else ()), own, context.text)
    answers = typed_answers(gold.answers[0], texts)
    if quote is None and not any(contains_answer(answer, context.text) for answer in answers):
        # Nothing at all gives this answer.
        answers = answers if none else ()
    return QuotedQuestion(question, context, own_place, quote, answers)


def _evidence_texts(question: Question) -> tuple[str, str]:
    """The evidence in a question's own paragraph, and that of linked articles."""
    texts = {document.title: document.text for document in question.documents}
    if question.context is None or texts.keys() & {OWN, LINKED}:
        return texts.get(OWN, ""), texts.get(LINKED, "").strip()
    context = question.context
    places = [
        piece
        for piece in (question.gold and question.gold.evidence) or ()
        if piece.document == context.title
    ]
    if not places:
        return context.text, " ".join(texts.values()).strip()
    # From the first to the last, so that it is one span of the paragraph.
    start, end = min(piece.start for piece in places), max(piece.end for piece in places)
    return context.text[start:end], " ".join(texts.values()).strip()


def quote_title(text: str) -> str:
    """The name that a quote is about, where it begins with it; "" otherwise.

    >>> quote_title("Ada Quill (born 1950) is a poet."), quote_title("The school is old.")
    ('Ada Quill', '')
    """
    title = opening_title(text)
    return title if NAME.fullmatch(title) and not NO_NAME.match(title) else ""


def contains_answer(answer: Answer, text: str) -> bool:
    """Whether a text contains all parts of an answer."""
    return bool(answer.texts) and all(find_text(part, text) for part in answer.texts)
