"""All items of a list, where one of them was found and all were asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lacuna.pipeline.shaping.enumeration import enumeration_at
from lacuna.pipeline.shaping.expected_kind import COUNT_WORD, ExpectedKind, expected_kind
from lacuna.pipeline.shaping.listed_items import column_around, list_after, list_around
from lacuna.pipeline.shaping.surroundings import sentence_at
from lacuna.quantities.find_quantities import find_quantities
from lacuna.types import Answer, AnswerKind, Document, Evidence, Span

MOST_ITEMS = 20
"""A longer list is a document to be read, not an answer."""

_COUNT = re.compile(
    rf"\b(?:which|what|who|the|name|list|give|its|their|are"
    rf"|were)(?: me)? (?P<count>{COUNT_WORD})\b",
    re.IGNORECASE,
)
_ONE_PERSON = re.compile(r"\bwho(?:['’]s| is| was)\b|\bwhose\b", re.IGNORECASE)
_WHO = re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)
_NAME = re.compile(r"[A-Z]\S*(?: (?:[A-Z]\S*|of|de|la|von|van|del|der|the|al|bin|\(.*\)))*")
_LONGEST_NAME = 6


def whole_list(question: str, answer: Answer, document: Document) -> Answer | None:
    """The whole list that an answer was found in, each item with its place.

    None where no list is asked for, where none is there, or where it has not as many items as
    the question says.
    """
    expected = expected_kind(question)
    people = (
        expected is ExpectedKind.PERSON
        and _WHO.search(question) is not None
        and not _ONE_PERSON.search(question)
    )
    if not (people or expected is ExpectedKind.LIST):
        return None
    if answer.kind not in (AnswerKind.SPAN, AnswerKind.SPANS) or not answer.found_at:
        return None
    places = [place for place in answer.found_at if place.document == document.title]
    if not places:
        return None
    found = _found(places, document)
    if found.start >= found.end:
        return None
    asked = asked_count(question)
    for items in _candidates(question, found, document, people=people):
        if not 2 <= len(items) <= MOST_ITEMS or (asked and len(items) != asked):
            continue
        texts = tuple(document.text[item.start : item.end] for item in items)
        if people and not all(map(_is_name, texts)):
            continue
        if not _even(texts) or _names_one_of(question, texts):
            continue
        if len(set(texts)) == len(texts) and texts != answer.texts:
            return Answer.spans(
                texts, *(Evidence(document.title, item.start, item.end) for item in items)
            )
    return None


def _found(places: Sequence[Evidence], document: Document) -> Span:
    """Where an answer was found, as far as one line goes: what runs over lines names several
    items at once."""
    start = places[0].start
    sentence = sentence_at(document, start)
    end = max(place.end for place in places if place.start < max(sentence.end, start + 1))
    end = min(end, len(document.text))
    line_end = document.text.find("\n", start, end)
    return Span(start, line_end if line_end >= 0 else end)


def asked_count(question: str) -> int | None:
    """How many items a question wants; None where it does not say.

    >>> asked_count("Which three rivers meet at Osk?"), asked_count("Which rivers meet?")
    (3, None)
    """
    count = _COUNT.search(question)
    return int(find_quantities(count["count"])[0].value) if count else None


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and len(text.split()) <= _LONGEST_NAME


def _even(texts: Sequence[str]) -> bool:
    """Items are about as long as each other; a word next to a clause is no row."""
    lengths = [len(text.split()) for text in texts]
    return max(lengths) <= 3 * min(lengths) + 4


def _names_one_of(question: str, texts: Sequence[str]) -> bool:
    """A question that names one of the items asks for the others, or for one of them."""
    asked = question.lower()
    return any(re.search(rf"\b{re.escape(text.lower())}\b", asked) for text in texts)


def _candidates(
    question: str, found: Span, document: Document, *, people: bool
) -> list[tuple[Span, ...]]:
    sentence = sentence_at(document, found.start)
    enumerated = enumeration_at(document.text, sentence, found)
    # Who did it may be one alone: all people of a table only where every row is about it.
    column = column_around(document, found, question, all_about_it=people)
    if people:
        return [column, enumerated]
    return [
        column,
        enumerated,
        list_around(document, found),
        list_after(document, found, question),
    ]
