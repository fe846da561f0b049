"""DROP's official JSON: passages by id, question–answer pairs, answers as number, spans or date.

IIRC's authors score their questions in the same format, with an empty answer for "none".
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from lacuna.datasets.fields import Fields, difference, keep, restore, visible
from lacuna.datasets.item import Block, Form, Item, Raw
from lacuna.errors import shown
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Answer, AnswerKind, Document, Extra, Gold, Question

DATE = "date"
DATE_PARTS = ("day", "month", "year")


def drop_form(name: str, *, yes_no: bool) -> Form:
    """DROP's form; with ``yes_no``, a lone span "yes" or "no" is read as that kind of answer."""
    decode = partial(_decode, yes_no=yes_no)
    return Form(name, (Shape.MAP,), _looks_like, decode, _encode)


def number_value(text: str) -> float | None:
    """The value of a number as it is written, or None.

    >>> number_value("1,204")
    1204.0
    """
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _looks_like(value: Any) -> bool:
    match value:
        case {"passage": str(), "qa_pairs": [dict(first), *_]}:
            return "answers" not in first
        case {"passage": str(), "qa_pairs": []}:
            return True
    return False


def _decode(raw: Raw, *, yes_no: bool) -> Item:
    fields = raw.fields
    id_ = raw.key or ""
    document = Document(id_, fields.text("passage"))
    questions = tuple(_question(qa, document, yes_no) for qa in fields.objects("qa_pairs"))
    return Item((Block(questions, document, id_, extra=fields.rest()),))


def _question(fields: Fields, document: Document, yes_no: bool) -> Question:
    id_, text = fields.text("query_id"), fields.text("question")
    gold: Gold | None = None
    leftovers: Extra = {}
    if "answer" in fields:
        raws = [fields.object("answer"), *fields.optional_objects("validated_answers")]
        answers = [_answer(raw, yes_no) for raw in raws]
        gold = Gold(tuple(answers))
        pairs = zip(raws, answers, strict=True)
        leftovers = keep("answers", [difference(raw.rest(), _raw_answer(a)) for raw, a in pairs])
    return Question(id_, text, context=document, gold=gold, extra={**fields.rest(), **leftovers})


def _answer(fields: Fields, yes_no: bool) -> Answer:
    """The official scorer's order: a number counts first, then spans, then the date."""
    number, spans, date = (fields.peek(key) for key in ("number", "spans", DATE))
    if number:
        if isinstance(number, bool) or not isinstance(number, str | int | float):
            raise fields.bad("number", "a number, written as a text")
        return Answer.number(number_value(str(number)), str(number))
    if spans:
        if not isinstance(spans, list) or not all(isinstance(span, str) for span in spans):
            raise fields.bad("spans", "a list of texts")
        if yes_no and spans in (["yes"], ["no"]):
            return Answer.yes() if spans == ["yes"] else Answer.no()
        return Answer.span(spans[0]) if len(spans) == 1 else Answer.spans(tuple(spans))
    if date:
        if not isinstance(date, dict) or not all(
            isinstance(date.get(p, ""), str) for p in DATE_PARTS
        ):
            raise fields.bad(DATE, "day, month and year, each a text", shown(date))
        parts: list[str] = [date.get(part, "") for part in DATE_PARTS]
        if any(parts):
            return Answer.span(" ".join(parts), unit=DATE)
    return Answer.none()


def _raw_answer(answer: Answer) -> dict[str, Any]:
    raw: dict[str, Any] = {"number": "", "spans": [], DATE: dict.fromkeys(DATE_PARTS, "")}
    if answer.kind is AnswerKind.NUMBER:
        raw["number"] = answer.texts[0]
    elif answer.unit == DATE:
        parts = answer.texts[0].split(" ")
        raw[DATE] = dict(zip(DATE_PARTS, parts, strict=False))
    elif answer.kind in (AnswerKind.YES, AnswerKind.NO):
        raw["spans"] = [str(answer.kind)]
    else:
        raw["spans"] = list(answer.texts)
    return raw


def _encode(item: Item) -> Encoded:
    (block,) = item.blocks
    assert block.document is not None
    qa_pairs = [_raw_question(question) for question in block.questions]
    return block.id, {"passage": block.document.text, "qa_pairs": qa_pairs, **block.extra}


def _raw_question(question: Question) -> dict[str, Any]:
    raw: dict[str, Any] = {"query_id": question.id, "question": question.text}
    if question.gold is not None:
        known = [_raw_answer(answer) for answer in question.gold.answers or (Answer.none(),)]
        raw["answer"], *validated = restore("answers", known, question.extra)
        if validated:
            raw["validated_answers"] = validated
    return {**raw, **visible(question.extra)}
