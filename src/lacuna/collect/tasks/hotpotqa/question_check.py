"""What makes a question about two paragraphs acceptable."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lacuna.collect.tasks.hotpotqa.entity_names import named_in_part, names_whole, plain_name
from lacuna.collect.tasks.hotpotqa.whole_tokens import (
    as_written,
    stands_whole,
    token_count,
    whole_places,
)
from lacuna.collect.tasks.hotpotqa.written_question import (
    FIELDS,
    YES_NO,
    WrittenQuestion,
    is_place,
    is_readable,
    paragraphs_in,
)
from lacuna.collect.tasks.task import FieldProblem, Json
from lacuna.corpus.mining.pairs import PairKind
from lacuna.datasets.hotpotqa.hotpotqa_format import NO_ANSWER

SHORTEST = 3
LONGEST = 5000
"""Characters of a text that is looked at in detail at all."""
LEANS = re.compile(
    r"\b(?:(?:first|second|above|this|these|both|following|given) (?:paragraph|passage|text)s?"
    r"|(?:paragraph|passage)s? (?:[AB12]|above|one|two))\b",
    re.IGNORECASE,
)
"""What makes a question depend on the paragraphs that its writer sees."""


def check_question(payload: Json, work: object, longest: int) -> list[FieldProblem]:
    """Say what is wrong; ``work`` may be anything that JSON can say."""
    if not isinstance(work, dict):
        return [FieldProblem("", "This is not a question with its answer.")]
    problems = list(_shape(payload, work))
    wrong = {problem.field for problem in problems}
    if "answer" in wrong or "question" in wrong:
        return problems
    # What else is wrong is said at the same time.
    sound = {**work, "supporting": []} if "supporting" in wrong else work
    written = WrittenQuestion.of(payload, sound)
    if "given_question" not in payload:
        problems += _question(payload, written, longest)
    problems += _answer(payload, written)
    if "supporting" not in wrong:
        problems += _supporting(payload, written)
    return problems


def _shape(payload: Json, work: Json) -> Iterator[FieldProblem]:
    if not set(work) <= set(FIELDS):
        yield FieldProblem("", f"Only these can be handed in: {', '.join(FIELDS)}.")
    needed = ("answer",) if "given_question" in payload else ("question", "answer")
    for name in needed:
        value = work.get(name, "")
        if not is_readable(value):
            yield FieldProblem(name, "Write one line of readable characters.")
        elif not value.strip():
            yield FieldProblem(name, f"Write the {name}.")
        elif len(value) > LONGEST:
            yield FieldProblem(name, f"This is too long: at most {LONGEST:,} characters.")
    places = work.get("supporting", [])
    if not isinstance(places, list) or not all(is_place(place, payload) for place in places):
        yield FieldProblem("supporting", "Mark sentences of the two paragraphs.")
    elif len({tuple(place) for place in places}) < len(places):
        yield FieldProblem("supporting", "A sentence is marked twice.")
    elif {place[0] for place in places} != {0, 1}:
        yield FieldProblem("supporting", "Mark at least one sentence of each paragraph.")


def _question(payload: Json, written: WrittenQuestion, longest: int) -> Iterator[FieldProblem]:
    size = token_count(written.question)
    if size < SHORTEST:
        yield FieldProblem("question", "Write a whole question.")
    if size > longest:
        yield FieldProblem("question", f"This has {size} words; {longest} are the most.")
    if LEANS.search(written.question):
        yield FieldProblem(
            "question",
            "Others will read this question without the paragraphs: do not speak of them in it.",
        )
    compares = payload["kind"] == PairKind.COMPARISON
    for paragraph, short in zip(payload["paragraphs"], payload["short_names"], strict=True):
        title = paragraph["title"]
        name = plain_name(title)
        part = named_in_part(written.question, title, short)
        if part:
            message = f"Write complete names: “{name}”, not “{part}” alone."
            yield FieldProblem("question", message)
        elif compares and not names_whole(written.question, title):
            yield FieldProblem("question", f"Compare the two by their complete names: “{name}”.")
    is_span = written.answer.casefold() not in YES_NO
    if not compares and is_span and stands_whole(written.question, written.answer):
        yield FieldProblem("question", "The question gives its own answer away.")


def _answer(payload: Json, written: WrittenQuestion) -> Iterator[FieldProblem]:
    answer = written.answer
    if payload["yes_no"]:
        if answer not in YES_NO:
            yield FieldProblem("answer", "Ask something that is answered with yes or no.")
        return
    if answer.casefold() in (*YES_NO, NO_ANSWER):
        message = "Ask something that a piece of a paragraph answers, not yes or no."
        yield FieldProblem("answer", message)
        return
    texts = _answering_texts(payload)
    if any(stands_whole(text, answer) for text in texts):
        return
    if better := next(filter(None, (as_written(text, answer) for text in texts)), ""):
        yield FieldProblem("answer", f"Write it as the paragraph does: “{better}”.")
    elif any(answer in text for text in texts):
        yield FieldProblem("answer", "Take whole words: the answer ends within one.")
    else:
        yield FieldProblem("answer", "This does not stand in either paragraph, word for word.")


def _supporting(payload: Json, written: WrittenQuestion) -> Iterator[FieldProblem]:
    if payload["kind"] == PairKind.COMPARISON:
        return
    documents = paragraphs_in(payload)
    if not any(stands_whole(document.text, written.answer) for document in documents):
        return  # said at the answer
    marked = [(documents[place], documents[place].sentences[n]) for place, n in written.supporting]
    for document, sentence in marked:
        for place in whole_places(document.text, written.answer):
            if place.start < sentence.end and sentence.start < place.end:
                return
    yield FieldProblem("supporting", "Mark a sentence that has the answer, too.")


def _answering_texts(payload: Json) -> list[str]:
    """The paragraphs; of a comparison also what is compared, which a paragraph may call "it"."""
    texts = [document.text for document in paragraphs_in(payload)]
    if payload["kind"] == PairKind.COMPARISON:
        texts += [plain_name(paragraph["title"]) for paragraph in payload["paragraphs"]]
    return texts
