"""All items of a list, where one of them was found and all were asked for."""

from __future__ import annotations

import re

from lacuna.pipeline.shaping.enumeration import enumeration_at
from lacuna.pipeline.shaping.expected_kind import COUNT_WORD, ExpectedKind, expected_kind
from lacuna.pipeline.shaping.listed_items import column_around, list_after, list_around
from lacuna.pipeline.shaping.surroundings import sentence_at
from lacuna.quantities.find_quantities import find_quantities
from lacuna.types import Answer, AnswerKind, Document, Evidence, Span

MOST_ITEMS = 20
"""A longer list is a document to be read, not an answer."""

_COUNT = re.compile(
    rf"\b(?:which|what|who|the|name|list|give|its|their|are|were)(?: me)? (?P<count>{COUNT_WORD})\b",
    re.IGNORECASE,
)
_ONE_PERSON = re.compile(r"\bwho(?:['’]s| is| was)\b|\bwhose\b", re.IGNORECASE)
_NAME = re.compile(r"[A-Z]")


def whole_list(question: str, answer: Answer, document: Document) -> Answer | None:
    """The whole list that an answer was found in, each item with its place.

    None where no list is asked for, where none is there, or where it has not as many items as
    the question says.
    """
    expected = expected_kind(question)
    people = expected is ExpectedKind.PERSON and not _ONE_PERSON.search(question)
    if not (people or expected is ExpectedKind.LIST):
        return None
    if answer.kind not in (AnswerKind.SPAN, AnswerKind.SPANS) or not answer.found_at:
        return None
    places = [place for place in answer.found_at if place.document == document.title]
    if not places:
        return None
    found = Span(places[0].start, max(place.end for place in places))
    if not 0 <= found.start < found.end <= len(document.text):
        return None
    asked = asked_count(question)
    for items in _candidates(question, found, document, running_text_alone=people):
        if not 2 <= len(items) <= MOST_ITEMS or (asked and len(items) != asked):
            continue
        texts = tuple(document.text[item.start : item.end] for item in items)
        if people and not all(map(_NAME.match, texts)):
            continue
        if len(set(texts)) == len(texts) and texts != answer.texts:
            return Answer.spans(
                texts, *(Evidence(document.title, item.start, item.end) for item in items)
            )
    return None


def asked_count(question: str) -> int | None:
    """How many items a question wants; None where it does not say.

    >>> asked_count("Which three rivers meet at Osk?"), asked_count("Which rivers meet?")
    (3, None)
    """
    count = _COUNT.search(question)
    return int(find_quantities(count["count"])[0].value) if count else None


def _candidates(
    question: str, found: Span, document: Document, *, running_text_alone: bool
) -> list[tuple[Span, ...]]:
    sentence = sentence_at(document, found.start)
    enumerated = enumeration_at(document.text, sentence, found)
    if running_text_alone:
        return [enumerated]
    return [
        column_around(document, found, question),
        enumerated,
        list_around(document, found),
        list_after(document, found, question),
    ]
