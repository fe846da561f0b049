"""What was found, in the shape that was asked for: an amount, an age, a whole clause or list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lacuna.answers import AnswerMode
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.fitting import COUNT_WORD, ExpectedKind, expected_kind
from lacuna.pipeline.lists import (
    column_around,
    enumeration_at,
    list_after,
    list_around,
    sentence_at,
)
from lacuna.pipeline.state import Reading
from lacuna.quantities.arithmetic import amount, readable, written
from lacuna.quantities.find_quantities import PartialDate, completed_years, find_quantities
from lacuna.quantities.measures import Dimension, find_measures
from lacuna.text import content_stems
from lacuna.types import Answer, AnswerKind, Document, Evidence, Span

FEW_WORDS = 4
"""An answer of more words says enough by itself."""
MOST_WORDS = 25

_WHAT_IT_IS = re.compile(
    r"\s(?:is|are|was|were|means?|refers? to|denotes?|stands? for|(?:is|are) (?:called|defined as))"
    r"\s(?=\S)|\s[-–—]\s|: "
)
_IT_DOES = re.compile(
    r"\s(?=(?!(?:its|this|is|was|has|does|as|us|always|thus|besides|perhaps)\b)[a-z]{2,}(?<!s)s\s"
    r"(?:[a-z]|[\"'“‘A-Z]))"
)
_IN_BETWEEN = re.compile(r"\([^()]*\)|, [^,]*,|\s+")
_SUBJECT = re.compile(
    r"what(?:['’]s| is| are| was| were| does| do| did)? (?P<subject>.+?)"
    r"(?: (?:do|mean|stand for|refer to|represent|used for|for|about|good for))?\W*$"
    r"|(?:define|explain|describe|who (?:is|was)) (?P<other>.+?)\W*$",
    re.IGNORECASE,
)
_OF_THE = re.compile(
    r"(?:meant by|the (?:purpose|role|function|meaning|definition|idea|point|task|goal|aim"
    r"|job) of) ",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(
    r"; | [–—] |: |, (?:and|but|so|while|although|whereas) (?=(?:it|they|he|she|this|these|the)\b)"
    r"|\.\s"
)
_SOFT_ENDS = re.compile(r", |\s\(")
_ANAPHORA = re.compile(r"\W*(?:it|this|these|they)\b", re.IGNORECASE)


def defining_clause(question: str, answer: Answer, document: Document) -> Answer | None:
    """The clause after "X is", "X -" or "X:" of the sentence that an answer was found in.

    None where no definition is asked for, the answer says enough by itself, or its sentence does
    not define what was asked for.
    """
    if expected_kind(question) is not ExpectedKind.DEFINITION or answer.kind is not AnswerKind.SPAN:
        return None
    if len(answer.texts[0].split()) > FEW_WORDS or not answer.found_at:
        return None
    place = answer.found_at[0]
    if place.document != document.title or place.end > len(document.text):
        return None
    subject = asked_subject(question)
    sentence = sentence_at(document, place.start)
    clause = _clause(document, sentence, subject)
    if clause is None:
        return None
    text = document.text[clause.start : clause.end]
    if len(text.split()) <= len(answer.texts[0].split()):
        return None
    return Answer.span(text, Evidence(document.title, clause.start, clause.end))


def asked_subject(question: str) -> str:
    """What a question wants explained.

    >>> asked_subject("What does the cron daemon do?"), asked_subject("What is a sextant?")
    ('the cron daemon', 'a sextant')
    """
    match = _SUBJECT.match(question.strip())
    subject = (match["subject"] or match["other"]) if match else ""
    return _OF_THE.sub("", subject).strip(" \"'“”‘’`")


def _clause(document: Document, sentence: Span, subject: str) -> Span | None:
    """What is said of a subject in a sentence that begins with it."""
    text = document.text
    wanted = set(content_stems(subject))
    if not wanted or sentence.end <= sentence.start:
        return None
    known = set(content_stems(document.title))
    for cut in sorted(
        [
            *_WHAT_IT_IS.finditer(text, sentence.start, sentence.end),
            *_IT_DOES.finditer(text, sentence.start, sentence.end),
        ],
        key=lambda match: match.start(),
    ):
        before = text[sentence.start : cut.start()]
        named = set(content_stems(_IN_BETWEEN.sub(" ", before)))
        about_title = _ANAPHORA.fullmatch(before) and wanted <= known
        # The subject alone stands before the verb: else the sentence is about something else.
        if (wanted <= named and len(named) <= len(wanted) + 2) or about_title:
            return _to_its_end(text, Span(cut.end(), sentence.end))
        if len(named) > len(wanted) + 4:
            return None
    return None


def _to_its_end(text: str, rest: Span) -> Span | None:
    end = _CLAUSE_ENDS.search(text, rest.start + 1, rest.end)
    stop = end.start() if end else rest.end
    if len(text[rest.start : stop].split()) > MOST_WORDS:
        soft = [
            match.start()
            for match in _SOFT_ENDS.finditer(text, rest.start + 1, stop)
            if 3 <= len(text[rest.start : match.start()].split()) <= MOST_WORDS
        ]
        if not soft:
            return None
        stop = soft[-1]
    clause = text[rest.start : stop]
    stop = rest.start + len(clause.rstrip(" \n.,;:!?"))
    return Span(rest.start, stop) if stop > rest.start else None


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


_SELF_NAMED = re.compile(r"(?:I|[Mm]e|[Mm]yself)\s*\(\s*(?P<name>[A-Z][^()]*?)\s*\)")


def named_person(answer: Answer, document: Document) -> Answer | None:
    """Who "I (Ann Lee)" is: the name alone; None for other answers."""
    match = _SELF_NAMED.fullmatch(answer.texts[0]) if answer.kind is AnswerKind.SPAN else None
    if match is None or not answer.found_at:
        return None
    start = answer.found_at[0].start + match.start("name")
    return Answer.span(match["name"], Evidence(document.title, start, start + len(match["name"])))


_PERIOD = r"(?P<period>hour|day|week|month|quarter|year)"
_RATE = re.compile(rf"\s*(?:(?:an?|per|each|every) |/ ?){_PERIOD}\b", re.IGNORECASE)
_ASKED_PERIOD = re.compile(
    rf"\b(?:an?|one|per|each|every) {_PERIOD}\b(?! (?:ago|after|before|earlier|later|old|or))"
    r"|\b(?:hour|dai|week|month|quarter|year)ly\b|\b(?:annual(?:ly)?|per annum)\b",
    re.IGNORECASE,
)
_TIMES = {
    ("week", "day"): 7,
    ("year", "month"): 12,
    ("year", "quarter"): 4,
    ("quarter", "month"): 3,
    ("day", "hour"): 24,
}
"""How often the shorter period goes into the longer one; others do not go evenly."""


def whole_amount(question: str, answer: Answer, document: Document) -> Answer | None:
    """A quoted number with what stands beside it: "$2,000", "30 days", "450 euros a month".

    Where a question asks for another period ("What is the rent a year?"), the amount is multiplied
    if the periods go evenly, and else named with its own. None where there is nothing to add.
    """
    quoted = answer.kind in (AnswerKind.SPAN, AnswerKind.NUMBER) and not answer.expression
    if not quoted or answer.unit or len(answer.found_at) != 1:
        return None
    (place,) = answer.found_at
    if place.document != document.title or place.end > len(document.text):
        return None
    text, sentence = document.text, sentence_at(document, place.start)
    number = _number(text[place.start : place.end])
    for measure in find_measures(text[sentence.start : sentence.end]):
        start, end = sentence.start + measure.start, sentence.start + measure.end
        same = start <= place.start and place.end <= end and _number(text[start:end]) == number
        if same and number and measure.unit and measure.dimension is not Dimension.COUNT:
            return _with_its_period(question, Span(start, end), place, document)
    return None


def _number(text: str) -> float | None:
    """The one number of a text."""
    found = find_quantities(text)
    return found[0].value if len(found) == 1 else None


def _with_its_period(
    question: str, whole: Span, place: Evidence, document: Document
) -> Answer | None:
    rate = _RATE.match(document.text, whole.end)
    asked = _asked_period(question) if rate else ""
    end = rate.end() if rate and asked and rate["period"].lower() != asked else whole.end
    found_at = Evidence(document.title, whole.start, end)
    text = document.text[whole.start : whole.end]
    times = _TIMES.get((asked, rate["period"].lower())) if rate else None
    number, digits = _number(text), re.search(r"[0-9](?:[0-9.,]*[0-9])?", text)
    if times and number and digits:
        value = number * times
        text = text[: digits.start()] + readable(value) + text[digits.end() :]
        return Answer.number(value, text, found_at, expression=f"{digits[0]} × {times}")
    if (found_at.start, found_at.end) == (place.start, place.end):
        return None
    return Answer.span(document.text[whole.start : end], found_at)


def _asked_period(question: str) -> str:
    """The period for which an amount is asked; "" where the question names none.

    >>> _asked_period("What is the rent a year?"), _asked_period("What is the monthly rent?")
    ('year', 'month')
    """
    match = _ASKED_PERIOD.search(question)
    if match is None:
        return ""
    named = (match["period"] or match[0].removesuffix("ly")).lower()
    return {"dai": "day", "annual": "year", "annually": "year", "per annum": "year"}.get(
        named, named
    )


AGE = re.compile(r"\bhow old\b|\bwhat age\b", re.IGNORECASE)


def typed(answer: Answer, question: str, documents: Mapping[str, Document]) -> Answer:
    """A quoted amount is a number with its unit, and an age counts the birthdays."""
    if answer.kind is AnswerKind.SPAN and (quoted := amount(answer.texts[0], question)):
        return Answer.number(quoted.value, quoted.text, *answer.found_at, unit=quoted.unit)
    if answer.unit == "years" and len(answer.found_at) == 2 and AGE.search(question):
        dates = [_date(place, documents) for place in answer.found_at]
        if dates[0] and dates[1] and (years := completed_years(dates[0], dates[1])) is not None:
            return replace(answer, value=float(years), texts=(written(float(years)),))
    return answer


def _date(place: Evidence, documents: Mapping[str, Document]) -> PartialDate | None:
    text = documents[place.document].text[place.start : place.end]
    return next((quantity.date for quantity in find_quantities(text)), None)


def shaped(answer: Answer, question: str, documents: Mapping[str, Document]) -> Answer:
    """The answer as the question wants it; ``documents`` are those that it was found in."""
    if answer.found_at:
        document = documents[answer.found_at[0].document]
        better = (
            whole_list(question, answer, document)
            or defining_clause(question, answer, document)
            or named_person(answer, document)
        )
        if better is not None:
            return better
        answer = whole_amount(question, answer, document) or answer
    return typed(answer, question, documents)


def shaped_reading(reading: Reading, question: str, mode: AnswerMode) -> ScoredAnswer:
    """What a reading answers, in shape and placed in the documents; there must be an answer."""
    prediction = reading.in_documents(mode)
    assert prediction.answer is not None
    answer = shaped(prediction.answer, question, reading.documents)
    return replace(reading.scored, prediction=replace(prediction, answer=answer))
