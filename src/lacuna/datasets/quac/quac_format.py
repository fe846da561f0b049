"""QuAC's format: a section, a dialog about it, and the answers with their dialog acts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lacuna.answer_text import CANNOT_ANSWER
from lacuna.datasets.fields import Fields, keep, visible
from lacuna.datasets.item import Block, Form, Item, Raw
from lacuna.datasets.squad.squad_format import raw_answers, span_answer
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import (
    Answer,
    DialogActs,
    Document,
    Evidence,
    FollowUp,
    Gold,
    Question,
    Role,
    Turn,
    YesNo,
)


def _looks_like(value: Any) -> bool:
    match value:
        case {"paragraphs": [{"qas": _, "id": _}, *_]}:
            return True
    return False


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    blocks = []
    for paragraph in fields.objects("paragraphs"):
        id_ = paragraph.text("id")
        title = fields.peek("title")
        document = Document(title if isinstance(title, str) else id_, paragraph.text("context"))
        history: tuple[Turn, ...] = ()
        questions = []
        for qa in paragraph.objects("qas"):
            question = _question(qa, document, history, raw.gold_only)
            questions.append(question)
            given, acts = (
                (question.gold.given, question.gold.acts) if question.gold else (None,) * 2
            )
            history = (*history, Turn(question.text, given, acts))
        blocks.append(Block(tuple(questions), document, id_, extra=paragraph.rest()))
    return Item(tuple(blocks), extra=fields.rest())


def _question(
    fields: Fields, document: Document, history: tuple[Turn, ...], gold_only: bool
) -> Question:
    id_, text = fields.text("id"), fields.text("question")
    references = fields.optional_objects("answers")
    given = [fields.object("orig_answer")] if "orig_answer" in fields else []
    gold, leftovers = None, {}
    if references or given:
        acts = DialogActs(
            fields.one_of("yesno", YesNo, "y, n or x"),
            fields.one_of("followup", FollowUp, "y, m or n"),
        )
        gold = Gold(
            tuple(_answer(reference, document, gold_only) for reference in references),
            given=_given(given[0], document, gold_only) if given else None,
            acts=acts if acts != DialogActs() else None,
        )
        leftovers = {
            **keep("answers", [reference.rest() for reference in references]),
            **keep("orig_answer", [answer.rest() for answer in given]),
        }
    extra = {**fields.rest(), **leftovers}
    return Question(id_, text, context=document, history=history, gold=gold, extra=extra)


def _given(fields: Fields, document: Document, gold_only: bool) -> Answer:
    """The answer that the dialog went on with; scores are broken down by where it stands."""
    answer = _answer(fields, document, gold_only)
    if gold_only and type(start := fields.peek("answer_start")) is int and start >= 0:
        end = start + len(fields.text("text"))
        answer = replace(answer, found_at=(Evidence(document.title, start, end, Role.ANSWER),))
    return answer


def _answer(fields: Fields, document: Document, gold_only: bool) -> Answer:
    answer = span_answer(fields, document, gold_only)
    return Answer.none(*answer.found_at) if answer.texts[0] == CANNOT_ANSWER else answer


def _encode(item: Item) -> Encoded:
    paragraphs = []
    for block in item.blocks:
        assert block.document is not None
        context = block.document.text
        qas = [_raw_question(question, context) for question in block.questions]
        paragraphs.append({"id": block.id, "context": context, "qas": qas, **block.extra})
    return None, {"paragraphs": paragraphs, **item.extra}


def _raw_question(question: Question, context: str) -> dict[str, Any]:
    raw: dict[str, Any] = {"id": question.id, "question": question.text}
    if gold := question.gold:
        if gold.answers:
            raw["answers"] = raw_answers("answers", gold.answers, context, question.extra)
        if gold.given:
            given = raw_answers("orig_answer", [gold.given], context, question.extra)
            raw["orig_answer"] = given[0]
        if gold.acts:
            raw.update(raw_acts(gold.acts))
    return {**raw, **visible(question.extra)}


def raw_acts(acts: DialogActs) -> dict[str, str]:
    """Dialog acts as a file has them."""
    given = {"yesno": acts.yes_no, "followup": acts.follow_up}
    return {name: str(act) for name, act in given.items() if act is not None}


DIALOGS = Form("dialogs", (Shape.DATA, Shape.LIST, Shape.LINES), _looks_like, _decode, _encode)
