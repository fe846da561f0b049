"""OpenBookQA's questions with their choices and core fact, and its plain files of facts.

KGD, the knowledge-gap annotations of GapQA's authors, adds key spans of the fact
(``answer_spans``, ``answer_starts``) and the relation between them and the right choice
(``relations``). In its own files the fact is called ``fact``, and one question comes several
times, each time with another fact: there the fact is a part of the id.
"""

from __future__ import annotations

import re
from typing import Any

from lacuna.datasets.fields import HIDDEN, Fields, keep, restore, visible
from lacuna.datasets.item import Block, Form, Item, Raw, official_id, under_id
from lacuna.errors import BadField, shown
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.types import Answer, Choice, Document, Evidence, Gold, Question, Role

FACT, KGD_FACT = "fact1", "fact"
FACT_NAME = HIDDEN + "fact name"
"""Where a question remembers that its file calls the fact otherwise than OpenBookQA does."""


def id_with_fact(question: Question) -> str:
    """What tells a question from others: its official id, and its fact if it has one.

    >>> id_with_fact(Question("7-980", "What carries pollen?", fact="bees carry pollen"))
    '7-980#bees carry pollen'
    """
    id_ = official_id(question)
    return id_ if question.fact is None else f"{id_}#{question.fact}"


def _looks_like(value: Any) -> bool:
    match value:
        case {"question": {"stem": _, "choices": _}}:
            return True
    return False


def _decode(raw: Raw) -> Item:
    fields = raw.fields
    id_ = fields.text("id")
    stem = fields.object("question")
    raw_choices = stem.objects("choices")
    choices = tuple(Choice(choice.text("label"), choice.text("text")) for choice in raw_choices)
    name = KGD_FACT if KGD_FACT in fields and FACT not in fields else FACT
    fact = fields.optional_text(name)
    spans = _key_spans(fields, fact) if "answer_spans" in fields else None
    relations = fields.optional_texts("relations")
    answers = (_answer(fields, choices),) if fields.peek("answerKey") else ()
    gold = None
    if answers or spans is not None or relations is not None:
        gold = Gold(answers, evidence=spans, relations=relations)
    text = stem.text("stem")
    extra = {
        **fields.rest(),
        **({FACT_NAME: name} if name != FACT else {}),
        **keep("question", [stem.rest()]),
        **keep("choices", [choice.rest() for choice in raw_choices]),
    }
    question = Question(id_, text, choices=choices, fact=fact, gold=gold, extra=extra)
    if name == KGD_FACT:
        question = under_id(question, id_with_fact(question))
    return Item.of(question)


def _answer(fields: Fields, choices: tuple[Choice, ...]) -> Answer:
    label = fields.text("answerKey")
    for choice in choices:
        if choice.label == label:
            return Answer.choice(label, choice.text)
    labels = ", ".join(choice.label for choice in choices)
    raise fields.bad("answerKey", f"one of the labels {labels}", shown(label))


def _key_spans(fields: Fields, fact: str | None) -> tuple[Evidence, ...]:
    """KGD's spans of the fact; the fields stay in the extra, for case may differ from the fact."""
    if fact is None:
        raise fields.bad(FACT, "the fact that answer_spans are spans of")
    texts = Fields({"answer_spans": fields.peek("answer_spans")}, fields.path).texts("answer_spans")
    starts = fields.peek("answer_starts")
    if starts is None:
        starts = [_start_of(text, fact) for text in texts]
    evidence = []
    for index, text in enumerate(texts):
        start: Any = starts[index] if isinstance(starts, list) and index < len(starts) else None
        if not _stands(text, start, fact):
            where = f"answer_spans[{index}]"
            raise BadField(where, f"a span of the fact {shown(fact)}", shown(text))
        evidence.append(Evidence(FACT, start, start + len(text), Role.KEY_SPAN))
    return tuple(evidence)


def _start_of(text: str, fact: str) -> int:
    # Not by looking into the folded fact: that may have another length than the fact.
    found = re.finditer(re.escape(text), fact, re.IGNORECASE)
    return next((match.start() for match in found if _stands(text, match.start(), fact)), -1)


def _stands(text: str, start: Any, fact: str) -> bool:
    """Whether a span of the fact, in whatever case, begins there."""
    if type(start) is not int or start < 0:
        return False
    return fact[start : start + len(text)].casefold() == text.casefold()


def _encode(item: Item) -> Encoded:
    question = item.question
    choices = [{"text": choice.text, "label": choice.label} for choice in question.choices]
    inner = {"stem": question.text, "choices": restore("choices", choices, question.extra)}
    raw: dict[str, Any] = {"id": official_id(question)}
    (raw["question"],) = restore("question", [inner], question.extra)
    if question.fact is not None:
        raw[question.extra.get(FACT_NAME, FACT)] = question.fact
    if gold := question.gold:
        if gold.answers:
            raw["answerKey"] = gold.answers[0].label
        if gold.evidence is not None:
            fact = question.fact or ""
            raw["answer_spans"] = [fact[piece.start : piece.end] for piece in gold.evidence]
        if gold.relations is not None:
            raw["relations"] = list(gold.relations)
    return None, {**raw, **visible(question.extra)}


def _is_line(value: Any) -> bool:
    return isinstance(value, str)


def _decode_fact(raw: Raw) -> Item:
    if not (text := raw.value.strip()):
        return Item((), extra={"line": raw.value})
    fact = text.strip('"')
    return Item((Block((), Document(FACT, fact)),), extra={"line": raw.value})


def _encode_fact(item: Item) -> Encoded:
    return None, item.extra["line"]


QUESTIONS = Form("questions", (Shape.LINES, Shape.LIST), _looks_like, _decode, _encode)
FACTS = Form("facts", (Shape.TEXT,), _is_line, _decode_fact, _encode_fact)
