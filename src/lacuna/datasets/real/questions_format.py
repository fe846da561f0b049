"""Single questions: what is asked of which collection, and the patterns of a right answer."""

from __future__ import annotations

import re
from typing import Any

from lacuna.datasets.fields import HIDDEN, Fields, visible
from lacuna.datasets.item import Form, Item, Raw
from lacuna.datasets.real.judging import NO, NONE, YES
from lacuna.errors import BadField, shown
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Answer, Extra, Gold, Question

COLLECTION = HIDDEN + "collection"
"""Where a question remembers the collection of documents that it is asked of."""
EXACT = {YES: Answer.yes(), NO: Answer.no(), NONE: Answer.none()}
"""The patterns that stand for an answer of their own kind."""


def collection_of(question: Question) -> str:
    """The name of the collection that a question is asked of."""
    return str(question.extra[COLLECTION])


def collection_name(fields: Fields) -> str:
    """The field ``corpus``: the name of a file or folder, which leads nowhere else."""
    name = fields.text("corpus")
    if not name.strip() or name.startswith(".") or "/" in name or "\\" in name:
        raise fields.bad("corpus", "the name of a collection of documents")
    return name


def gold_of(fields: Fields) -> Gold | None:
    """The answer as people wrote it; None where there is no pattern to judge by.

    Nothing is taken from the fields, since the scorer goes by the patterns as they stand.
    """
    if "match" not in fields:
        return None
    match = fields.peek("match")
    patterns = match if isinstance(match, list) else [match]
    if not patterns:
        raise fields.bad("match", "at least one regular expression")
    for pattern in patterns:
        _check(pattern, fields.where("match"))
    if not isinstance(gold := fields.peek("gold"), str):
        raise fields.bad("gold", "the answer as a text")
    answer = EXACT.get(match) if isinstance(match, str) else None
    return Gold((answer or Answer.span(gold),))


def _check(pattern: Any, where: str) -> None:
    if not isinstance(pattern, str):
        raise BadField(where, "a regular expression, or a list of them", shown(pattern))
    try:
        re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as problem:
        found = f"{shown(pattern)} ({problem})"
        raise BadField(where, "a regular expression", found) from None


def check_labels(extra: Extra) -> None:
    """Refuse labels that the scorer could not go by; other packages may add kinds of their own."""
    for name, kind, wanted in (
        ("kind", str, "the kind of question, as a text"),
        ("pair", str, "the id of the opposite question"),
        ("paraphrase", bool, "true or false"),
    ):
        value = extra.get(name)
        if value is not None and not isinstance(value, kind):
            raise BadField(name, wanted, shown(value))


def _looks_like(value: Any) -> bool:
    match value:
        case {"corpus": _, "question": str()}:
            return True
    return False


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    id_, text, name = fields.text("id"), fields.text("question"), collection_name(fields)
    gold, rest = gold_of(fields), fields.rest()
    check_labels(rest)
    return Item.of(Question(id_, text, gold=gold, extra={**rest, COLLECTION: name}))


def _encode(item: Item) -> Encoded:
    question = item.question
    raw = {"id": question.id, "corpus": collection_of(question), "question": question.text}
    return None, {**raw, **visible(question.extra)}


QUESTIONS = Form("questions", (Shape.LIST, Shape.LINES), _looks_like, _decode, _encode)
