"""Questions that a small language model wrote over technical documents and an encyclopedia."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from lacuna.datasets.fields import Fields
from lacuna.train.data.evidence_sentences import sentences_at, with_sentences
from lacuna.train.data.together import together
from lacuna.types import Answer, Document, Evidence, Gold, Question, Role, Span

FIXED = {"yes": Answer.yes(), "no": Answer.no(), "none": Answer.none()}
PAIR = "pair"
SOURCE = "source"
"""The collection that a document is of."""
NO_OPPOSITE = "a yes that no question for no is left for"


def decode(fields: Fields, number: int) -> Question:
    """A line of any kind: fact, list, yes, no or none.

    What its sentence of evidence touches is evidence; where there is no answer, nothing is.
    """
    document = with_sentences(fields.text("title"), fields.text("passage"))
    kind = fields.text("kind")
    if kind in FIXED:
        answer = FIXED[kind]
    elif kind in ("fact", "list"):
        answer = _spans(fields, document)
    else:
        raise fields.bad("kind", "fact, list, yes, no or none")
    places = []
    if evidence := fields.optional_text("evidence"):
        start = fields.integer("evidence_start")
        places.append(Span(start, start + len(evidence)))
    gold = Gold((answer,), supporting_facts=sentences_at(document, places))
    extra = {name: fields.text(name) for name in (PAIR, SOURCE) if name in fields}
    return Question(fields.text("id"), fields.text("question"), document, gold=gold, extra=extra)


def _spans(fields: Fields, document: Document) -> Answer:
    texts, places = [], []
    for answer in fields.objects("answers"):
        text, start = answer.text("text"), answer.integer("start")
        if document.text[start : start + len(text)] != text:
            raise answer.bad("start", "where the text stands")
        texts.append(text)
        places.append(Evidence(document.title, start, start + len(text), Role.ANSWER))
    if not texts:
        raise fields.bad("answers", "an answer")
    return Answer.spans(tuple(texts), *places) if texts[1:] else Answer.span(texts[0], *places)


def opposites(
    yes: Iterable[Question], no: Iterable[Question], left_out: Counter[str]
) -> Iterator[Question]:
    """Pairs that differ in one detail; every other no beside one of the other yeses.

    The yeses that remain are left out, since most questions would be answered with yes.
    """
    of_pair: defaultdict[str, list[Question]] = defaultdict(list)
    for question in no:
        of_pair[question.extra.get(PAIR, "")].append(question)
    alone: list[Question] = []
    wanted = sum(map(len, of_pair.values()))
    for question in yes:
        if (pair := question.extra.get(PAIR)) and of_pair.get(pair):
            yield from together(question, of_pair[pair].pop())
        elif len(alone) < wanted:
            alone.append(question)
        else:
            left_out[NO_OPPOSITE] += 1
    rest = [question for left in of_pair.values() for question in left]
    for both in zip_longest(alone[: len(rest)], rest):
        yield from (question for question in both if question)
    left_out[NO_OPPOSITE] += len(alone[len(rest) :])
