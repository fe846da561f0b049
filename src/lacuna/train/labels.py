"""Where the gold answer stands in an input, and every way to get at it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lacuna.models.reader.model_input import ModelInput, TextPlace
from lacuna.models.reader.numbers import placed_quantities
from lacuna.train.derivations import derivations
from lacuna.train.instances import MAX_DERIVATIONS, MAX_SPANS, MAX_TERMS
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question, Span


def span_places(read: ModelInput, question: Question, answer: Answer) -> list[TextPlace]:
    """Where an answer of one text stands: at its given place, else wherever evidence has it."""
    gold = question.gold or Gold()
    if answer.found_at:
        found = [place for evidence in answer.found_at for place in _placed(read, evidence)]
    else:
        found = _searched(read, answer.texts[0], gold)
    return found[:MAX_SPANS]


def question_places(read: ModelInput, question: Question, text: str) -> list[TextPlace]:
    """Where the question itself holds the answer: "Which is larger, A or B?"."""
    tokens = read.encoded.question
    covers = (tokens.cover(*span) for span in occurrences(question.text, text))
    first = read.question.first
    return [TextPlace(first + cover[0], first + cover[1]) for cover in covers if cover]


def occurrences(text: str, wanted: str) -> Iterator[Span]:
    """Every place where the wanted words stand as whole words, in any state."""
    wanted = wanted.strip()
    if not wanted:
        return
    before = r"(?<!\w)" if wanted[0].isalnum() else ""
    after = r"(?!\w)" if wanted[-1].isalnum() else ""
    for match in re.finditer(before + re.escape(wanted) + after, text, re.IGNORECASE):
        yield Span(*match.span())


def _placed(read: ModelInput, evidence: Evidence) -> Iterator[TextPlace]:
    for number, document in enumerate(read.encoded.documents):
        if document.title == evidence.document:
            yield from read.places(number, evidence.start, evidence.end)


def _searched(read: ModelInput, text: str, gold: Gold) -> list[TextPlace]:
    """First where the evidence is, then in the documents it is from, then anywhere."""
    documents = list(enumerate(read.encoded.documents))
    regions = list(evidence_regions(read.encoded.documents, gold))
    titles = {read.encoded.documents[number].title for number, _ in regions}
    whole = [(n, Span(0, len(d.text))) for n, d in documents if d.title in titles]
    for places in (
        regions,
        whole,
        [] if titles else [(n, Span(0, len(d.text))) for n, d in documents],
    ):
        if found := list(_within(read, text, places)):
            return found
    return []


def evidence_regions(documents: Iterable[Document], gold: Gold) -> Iterator[tuple[int, Span]]:
    """The segments that annotators named as evidence."""
    for number, document in enumerate(documents):
        for piece in gold.evidence or ():
            if piece.document == document.title:
                yield number, Span(piece.start, min(piece.end, len(document.text)))
        for title, sentence in gold.supporting_facts or ():
            if title == document.title and sentence < len(document.sentences):
                yield number, document.sentences[sentence]


def _within(read: ModelInput, text: str, places: Iterable[tuple[int, Span]]) -> Iterator[TextPlace]:
    for number, region in places:
        for span in occurrences(read.encoded.documents[number].text, text):
            if region.start <= span.start and span.end <= region.end:
                yield from read.places(number, span.start, span.end)


Derivations = list[tuple[tuple[int, int], ...]]


def number_labels(
    read: ModelInput, question: Question, answers: Iterable[Answer]
) -> tuple[list[TextPlace], Derivations]:
    """The numbers of an input, and every calculation over them that gives a gold answer."""
    placed = placed_quantities(read)
    quantities = [one.quantity for one in placed]
    found: dict[tuple[tuple[int, int], ...], None] = {}
    for answer in answers:
        if answer.kind is AnswerKind.NUMBER and answer.value is not None:
            for terms in derivations(answer.value, quantities, question.text):
                if len(terms) <= MAX_TERMS:
                    found.setdefault(terms)
    return [one.place for one in placed], list(found)[:MAX_DERIVATIONS]
