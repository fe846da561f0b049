"""Where an input contains the gold answer, and every calculation that gives it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lacuna.models.reader.model_input import ModelInput, TextPlace
from lacuna.models.reader.numbers import placed_quantities
from lacuna.train.derivations import Derivation, derivations
from lacuna.train.instances import MAX_DERIVATIONS, MAX_SPANS, MAX_TERMS
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question, Span


def span_places(model_input: ModelInput, question: Question, answer: Answer) -> list[TextPlace]:
    """The places of an answer of one text: the given ones, or wherever the evidence has it."""
    gold = question.gold or Gold()
    if answer.found_at:
        given = (_placed(model_input, evidence) for evidence in answer.found_at)
        places = [place for evidence in given for place in evidence]
    else:
        places = _searched(model_input, answer.texts[0], gold)
    return places[:MAX_SPANS]


def question_places(model_input: ModelInput, question: Question, text: str) -> list[TextPlace]:
    """Where the question itself contains the answer: "Which is larger, A or B?"."""
    tokens = model_input.encoded.question
    covers = (tokens.cover(*span) for span in occurrences(question.text, text))
    first = model_input.question.first
    return [TextPlace(first + cover[0], first + cover[1]) for cover in covers if cover]


def occurrences(text: str, wanted: str) -> Iterator[Span]:
    """Every place of the wanted words as whole words, in any case."""
    wanted = wanted.strip()
    if not wanted:
        return
    before = r"(?<!\w)" if wanted[0].isalnum() else ""
    after = r"(?!\w)" if wanted[-1].isalnum() else ""
    for match in re.finditer(before + re.escape(wanted) + after, text, re.IGNORECASE):
        yield Span(*match.span())


def _placed(model_input: ModelInput, evidence: Evidence) -> Iterator[TextPlace]:
    for number, document in enumerate(model_input.encoded.documents):
        if document.title == evidence.document:
            yield from model_input.places(number, evidence.start, evidence.end)


def _searched(model_input: ModelInput, text: str, gold: Gold) -> list[TextPlace]:
    """In the evidence, or else in the documents that it is from, or else anywhere."""
    documents = list(enumerate(model_input.encoded.documents))
    regions = list(evidence_regions(model_input.encoded.documents, gold))
    titles = {model_input.encoded.documents[number].title for number, _ in regions}
    whole = [(n, Span(0, len(d.text))) for n, d in documents if d.title in titles]
    for places in (
        regions,
        whole,
        [] if titles else [(n, Span(0, len(d.text))) for n, d in documents],
    ):
        if matches := list(_within(model_input, text, places)):
            return matches
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


def _within(
    model_input: ModelInput, text: str, places: Iterable[tuple[int, Span]]
) -> Iterator[TextPlace]:
    for number, region in places:
        for span in occurrences(model_input.encoded.documents[number].text, text):
            if region.start <= span.start and span.end <= region.end:
                yield from model_input.places(number, span.start, span.end)


def number_labels(
    model_input: ModelInput, question: Question, answers: Iterable[Answer]
) -> tuple[list[TextPlace], list[Derivation]]:
    """The numbers of an input, and every calculation over them that gives a gold answer."""
    placed = placed_quantities(model_input)
    quantities = [each.quantity for each in placed]
    ways: dict[Derivation, None] = {}
    for answer in answers:
        if answer.kind is AnswerKind.NUMBER and answer.value is not None:
            for terms in derivations(answer.value, quantities, question.text):
                if len(terms) <= MAX_TERMS:
                    ways.setdefault(terms)
    return [each.place for each in placed], list(ways)[:MAX_DERIVATIONS]
