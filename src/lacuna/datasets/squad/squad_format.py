"""SQuAD's format: articles, their paragraphs, and questions answered by spans of them or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lacuna.datasets.fields import HIDDEN, Fields, evidence_at, keep, restore, visible
from lacuna.datasets.item import Block, Form, Item, Raw
from lacuna.errors import LacunaError, shown
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Answer, AnswerKind, Document, Evidence, Extra, Gold, Question, Role

NO_ANSWERS = HIDDEN + "no answers"
"""Notes that a question came without the field, not with an empty list."""


def _looks_like(value: Any) -> bool:
    """An article whose paragraphs have no id; QuAC's have one."""
    match value:
        case {"paragraphs": [dict(first), *_]}:
            return "qas" in first and "id" not in first
    return False


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    title = str(fields.peek("title") or "")
    blocks = []
    for paragraph in fields.objects("paragraphs"):
        document = Document(title, paragraph.text("context"))
        questions = tuple(_question(qa, document, raw.gold_only) for qa in paragraph.objects("qas"))
        blocks.append(Block(questions, document, extra=paragraph.rest()))
    return Item(tuple(blocks), extra=fields.rest())


def _question(fields: Fields, document: Document, gold_only: bool) -> Question:
    id_, text = fields.text("id"), fields.text("question")
    impossible = fields.peek("is_impossible")
    if impossible not in (None, True, False):
        raise fields.bad("is_impossible", "true or false")
    gold, leftovers = None, {}
    # An empty list that is not called impossible is how test files hide their answers. The
    # official 2.0 scorer, though, takes every empty list for an unanswerable question.
    if fields.peek("answers") or impossible or (gold_only and impossible is False):
        references = fields.optional_objects("answers")
        plausible = fields.optional_objects("plausible_answers")
        answers = tuple(span_answer(answer, document, gold_only) for answer in references)
        if answers and impossible:
            raise fields.bad("is_impossible", "false where there are answers")
        gold = Gold(
            answers or (Answer.none(),),
            evidence=tuple(evidence_at(answer, document, Role.PLAUSIBLE) for answer in plausible)
            if "plausible_answers" in fields and not gold_only
            else None,
        )
        leftovers = {
            **({NO_ANSWERS: True} if fields.peek("answers") is None else {}),
            **keep("answers", [answer.rest() for answer in references]),
            **keep("plausible_answers", [answer.rest() for answer in plausible]),
        }
    return Question(id_, text, context=document, gold=gold, extra={**fields.rest(), **leftovers})


def span_answer(fields: Fields, document: Document, gold_only: bool) -> Answer:
    """A reference answer; where only scores matter, its place is not looked at."""
    text = fields.text("text")
    return Answer.span(text, *(() if gold_only else (evidence_at(fields, document, Role.ANSWER),)))


def _encode(item: Item) -> Encoded:
    paragraphs = []
    for block in item.blocks:
        assert block.document is not None
        context = block.document.text
        qas = [_raw_question(question, context) for question in block.questions]
        paragraphs.append({"context": context, "qas": qas, **block.extra})
    return None, {"paragraphs": paragraphs, **item.extra}


def _raw_question(question: Question, context: str) -> dict[str, Any]:
    raw: dict[str, Any] = {"id": question.id, "question": question.text}
    if gold := question.gold:
        answers = [answer for answer in gold.answers if answer.kind is not AnswerKind.NONE]
        if NO_ANSWERS not in question.extra:
            raw["answers"] = raw_answers("answers", answers, context, question.extra)
        if gold.evidence is not None:
            plausible = [_raw_answer(evidence, context) for evidence in gold.evidence]
            raw["plausible_answers"] = restore("plausible_answers", plausible, question.extra)
    return {**raw, **visible(question.extra)}


def raw_answers(
    name: str, answers: Iterable[Answer], context: str, extra: Extra
) -> list[dict[str, Any]]:
    """Answers as SQuAD and QuAC write them."""
    raws = [_raw_answer(_place(answer, context), context) for answer in answers]
    return restore(name, raws, extra)


def _place(answer: Answer, context: str) -> Evidence:
    """Where an answer stands; the first place where its text is, if it does not say."""
    if answer.found_at:
        return answer.found_at[0]
    start = context.find(answer.texts[0]) if answer.texts else -1
    if start < 0:
        raise LacunaError(
            f"The answer {answer.text!r} cannot be written: it is no part of the text "
            f"{shown(context)}. SQuAD and QuAC answer with spans alone."
        )
    return Evidence("", start, start + len(answer.texts[0]))


def _raw_answer(evidence: Evidence, context: str) -> dict[str, Any]:
    """Evidence as SQuAD and QuAC write it."""
    return {"text": context[evidence.start : evidence.end], "answer_start": evidence.start}


ARTICLES = Form("articles", (Shape.DATA, Shape.LIST, Shape.LINES), _looks_like, _decode, _encode)
