"""Files that hold a part of HotpotQA: paragraphs alone (the abstracts that the full-wiki setting
searches), and questions whose supporting sentences stand there as one text.
"""

from __future__ import annotations

from typing import Any

from lacuna.answer_text import answer_from_text, text_from_answer
from lacuna.datasets.fields import HIDDEN, visible
from lacuna.datasets.hotpotqa.hotpotqa_format import (
    LISTED,
    NO_ANSWER,
    document_of,
    sentences_of,
)
from lacuna.datasets.item import Block, Form, Item, Raw
from lacuna.files.json_write import Encoded
from lacuna.types import Document, Evidence, Gold, Question

ONE_TEXT = HIDDEN + "one text"
"""Notes that a paragraph came as one text, not as sentences."""


def _is_paragraph(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and "title" in value
        and "question" not in value
        and ("sentences" in value or isinstance(value.get("text"), str))
        and "questions" not in value
    )


def _decode_paragraph(raw: Raw) -> Item:
    fields = raw.fields
    title = fields.text("title")
    if "sentences" in fields:
        document = document_of(title, fields.texts("sentences"))
        return Item((Block((), document),), extra=fields.rest())
    document = Document(title, fields.text("text"))
    return Item((Block((), document),), extra={**fields.rest(), ONE_TEXT: True})


def _encode_paragraph(item: Item) -> Encoded:
    document = item.blocks[0].document
    assert document is not None
    one_text = ONE_TEXT in item.extra
    whole = {"text": document.text} if one_text else {"sentences": sentences_of(document)}
    return None, {"title": document.title, **whole, **visible(item.extra)}


def _is_gold_only(value: Any) -> bool:
    return isinstance(value, dict) and {"question", "knowledge", "answer"} <= value.keys()


def _decode_gold_only(raw: Raw) -> Item:
    fields = raw.fields
    document = Document("knowledge", fields.text("knowledge"))
    gold = Gold(
        (answer_from_text(fields.text("answer"), NO_ANSWER),),
        evidence=(Evidence(document.title, 0, len(document.text)),),
    )
    # These lines have no id of their own.
    id_ = f"line-{raw.number}"
    question = Question(
        id_, fields.text("question"), documents=(document,), gold=gold, extra=fields.rest()
    )
    return Item.of(question)


def _encode_gold_only(item: Item) -> Encoded:
    question = item.question
    assert question.gold is not None
    return None, {
        "question": question.text,
        "knowledge": question.documents[0].text,
        "answer": text_from_answer(question.gold.answers[0], NO_ANSWER),
        **question.extra,
    }


PARAGRAPHS = Form("paragraphs", LISTED, _is_paragraph, _decode_paragraph, _encode_paragraph)
GOLD_SENTENCES = Form("gold sentences", LISTED, _is_gold_only, _decode_gold_only, _encode_gold_only)
