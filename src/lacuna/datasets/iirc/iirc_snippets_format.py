"""Single IIRC questions with their evidence as short texts, some with the whole paragraph."""

from __future__ import annotations

from typing import Any

from lacuna.answer_text import answer_from_text, text_from_answer
from lacuna.datasets.iirc.iirc_format import NO_ANSWER
from lacuna.datasets.item import Block, Form, Item, Raw
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question

OWN, LINKED = "main_context", "link_context"


def _looks_like(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("question"), str)
        and (LINKED in value or "link_candidates" in value)
    )


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    text = fields.text("question")
    whole = fields.optional_text("passage")
    documents = tuple(
        Document(name, quoted)
        for name in (OWN, LINKED)
        if (quoted := fields.optional_text(name)) is not None
    )
    link = fields.optional_text("gold_link")
    gold = Gold(
        _answers(fields.texts("answer") if fields.peek("answer") else ()),
        evidence=tuple(Evidence(d.title, 0, len(d.text)) for d in documents) or None,
        links=None if link is None else (link,),
    )
    context = None if whole is None else Document("passage", whole)
    # These lines have no id of their own.
    id_ = f"line-{raw.number}"
    question = Question(id_, text, context, documents, gold=gold, extra=fields.rest())
    return Item((Block((question,), context),))


def _answers(texts: tuple[str, ...]) -> tuple[Answer, ...]:
    if not texts:
        return ()
    return (answer_from_text(texts[0], NO_ANSWER) if len(texts) == 1 else Answer.spans(texts),)


def _encode(item: Item) -> Encoded:
    question = item.question
    gold = question.gold or Gold()
    raw: dict[str, Any] = {"question": question.text}
    raw |= {document.title: document.text for document in question.documents}
    if gold.answers:
        answer = gold.answers[0]
        several = answer.kind is AnswerKind.SPANS
        raw["answer"] = list(answer.texts) if several else [text_from_answer(answer, NO_ANSWER)]
    if question.context is not None:
        raw["passage"] = question.context.text
    if gold.links:
        raw["gold_link"] = gold.links[0]
    return None, {**raw, **question.extra}


SNIPPETS = Form("snippets", (Shape.LINES, Shape.LIST), _looks_like, _decode, _encode)
