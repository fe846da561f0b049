"""DROP in a reduced form, whose answers are plain texts.

It joins the spans of one answer with " and ", so that it does not tell one span from several.
Where the parts stand in the passage and the whole does not, both readings become alternatives,
and a prediction that matches either of them is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lacuna.datasets.drop.drop_format import number_value
from lacuna.datasets.fields import Fields
from lacuna.datasets.item import Block, Form, Item, Raw
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Answer, AnswerKind, Document, Gold, Question

JOINED = " and "


def _looks_like(value: Any) -> bool:
    return isinstance(value, dict) and {"passage_id", "passage", "qa_pairs"} <= value.keys()


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    id_ = fields.text("passage_id")
    document = Document(id_, fields.text("passage"))
    questions = tuple(_question(qa, document) for qa in fields.objects("qa_pairs"))
    return Item((Block(questions, document, id_, extra=fields.rest()),))


def _question(fields: Fields, document: Document) -> Question:
    id_, asked = fields.text("query_id"), fields.text("question")
    written = fields.optional_texts("answers")
    searched = f"{document.text}\n{asked}".casefold()
    gold = None
    if written is not None:
        gold = Gold(tuple(answer for text in written for answer in _readings(text, searched)))
    return Question(id_, asked, context=document, gold=gold, extra=fields.rest())


def _readings(written: str, searched: str) -> Iterator[Answer]:
    value = number_value(written)
    if value is not None:
        yield Answer.number(value, written)
        return
    parts = written.split(JOINED)
    whole = len(parts) == 1 or written.casefold() in searched
    if not whole and all(part.casefold() in searched for part in parts):
        yield Answer.spans(tuple(parts))
    yield Answer.span(written)


def _encode(item: Item) -> Encoded:
    (block,) = item.blocks
    assert block.document is not None
    qa_pairs = []
    for question in block.questions:
        raw: dict[str, Any] = {"query_id": question.id, "question": question.text}
        if question.gold is not None:
            raw["answers"] = list(_written(question.gold.answers))
        qa_pairs.append({**raw, **question.extra})
    text = block.document.text
    return None, {"passage_id": block.id, "passage": text, "qa_pairs": qa_pairs, **block.extra}


def _written(answers: Iterable[Answer]) -> Iterator[str]:
    second_reading = None
    for answer in answers:
        text = JOINED.join(answer.texts)
        if answer.kind is AnswerKind.SPAN and text == second_reading:
            second_reading = None
            continue
        second_reading = text if answer.kind is AnswerKind.SPANS else None
        yield text


REDUCED = Form("reduced", (Shape.LIST, Shape.LINES), _looks_like, _decode, _encode)
