"""OpenBookQA: a science question, four choices, and the core fact behind the right one.

KGD, the knowledge-gap annotations of GapQA's authors, adds key spans of the fact
(``answer_spans``, ``answer_starts``) and the relation between them and the right choice
(``relations``); in its own files the fact is called ``fact``. A plain text file of facts, one a
line, is read as well.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lacuna.datasets.base import Dataset, Form, Raw
from lacuna.datasets.fields import HIDDEN, Fields, keep, restore, visible
from lacuna.datasets.item import Block, Item
from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json_decode import FORBIDDEN, LARGEST_VALUE
from lacuna.files.json_stream import Shape
from lacuna.files.json_write import Encoded
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.text import STOP_WORDS, words
from lacuna.types import Answer, Choice, Document, Evidence, Gold, Prediction, Question, Role

FACT, KGD_FACT = "fact1", "fact"
FACT_NAME = HIDDEN + "fact name"
"""Where a question remembers that its file calls the fact otherwise than OpenBookQA does."""
SHORT, LONGER = "OBQA-Short", "longer choices"
SHORT_WORDS = 2


class OpenBookQA(Dataset):
    """OpenBookQA, with KGD's annotations where a file has them."""

    name = "openbookqa"
    about = "science questions with choices and a core fact (Mihaylov et al. 2018; KGD 2019)"

    def __init__(self) -> None:
        listed = (Shape.LINES, Shape.LIST)
        self.forms = (
            Form("questions", listed, _looks_like, _decode, _encode),
            Form("facts", (Shape.TEXT,), _is_line, _decode_fact, _encode_fact),
        )

    def facets(self, question: Question) -> dict[str, str]:
        relations = (question.gold and question.gold.relations) or ()
        labels = {"relation": ", ".join(dict.fromkeys(relations))} if relations else {}
        return {"subset": SHORT if is_short(question) else LONGER, **labels}

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        found: dict[str, Prediction] = {}
        with open_text(path) as source:
            rows = csv.reader(source.lines(LARGEST_VALUE))
            try:
                for row in rows:
                    if not row:
                        continue
                    line = f"line {rows.line_num}"
                    id_, label = _row(path, line, row)
                    if id_ in found:
                        twice = BadField("id", "every question once", f"{id_!r} a second time")
                        raise ItemError(path, line, twice, can_skip=False)
                    found[id_] = Prediction(Answer.choice(label))
            except csv.Error as error:
                raise LacunaError(
                    f"{path} is not a CSV file of id,choice: {error} at line {rows.line_num}."
                ) from error
        if not found:
            raise LacunaError(f"{path} holds no predictions: expected lines of id,choice.")
        return found

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        with replace_text(path) as out:
            rows = csv.writer(out, lineterminator="\n")
            for id_, prediction in predictions.items():
                if prediction.answer is None:
                    continue
                if not prediction.answer.label:
                    raise LacunaError(
                        f"The prediction for {id_!r} is no choice but {prediction.answer.text!r}, "
                        "which OpenBookQA's format cannot say."
                    )
                rows.writerow([id_, prediction.answer.label])


def is_short(question: Question) -> bool:
    """Whether it belongs to OBQA-Short: no choice has more than two words beside stop words."""
    return all(
        sum(word not in STOP_WORDS for word in words(choice.text)) <= SHORT_WORDS
        for choice in question.choices
    )


def right_choice(question: Question) -> int:
    """The number of the right choice, -1 where it is not known."""
    answers = question.gold.answers if question.gold else ()
    labels = [choice.label for choice in question.choices]
    return labels.index(answers[0].label) if answers else -1


def _row(path: Path, line: str, row: list[str]) -> tuple[str, str]:
    if len(row) != 2:
        problem = BadField("row", "two columns, id and choice", f"{len(row)}")
    elif FORBIDDEN.search("".join(row)):
        problem = BadField("row", "text without NUL characters", shown(row[0]))
    elif not row[0] or not all(row[1].split(";")):
        problem = BadField("row", "an id and a choice, or several with ; between", shown(row))
    else:
        return row[0], row[1]
    raise ItemError(path, line, problem, can_skip=False)


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
    return Item.of(Question(id_, text, choices=choices, fact=fact, gold=gold, extra=extra))


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
        starts = [fact.casefold().find(text.casefold()) for text in texts]
    evidence = []
    for index, text in enumerate(texts):
        start: Any = starts[index] if isinstance(starts, list) and index < len(starts) else None
        if not _stands(text, start, fact):
            where = f"answer_spans[{index}]"
            raise BadField(where, f"a span of the fact {shown(fact)}", shown(text))
        evidence.append(Evidence(FACT, start, start + len(text), Role.KEY_SPAN))
    return tuple(evidence)


def _stands(text: str, start: Any, fact: str) -> bool:
    """Whether a span of the fact, in whatever case, begins there."""
    if type(start) is not int or start < 0:
        return False
    return fact[start : start + len(text)].casefold() == text.casefold()


def _encode(item: Item) -> Encoded:
    question = item.question
    choices = [{"text": choice.text, "label": choice.label} for choice in question.choices]
    inner = {"stem": question.text, "choices": restore("choices", choices, question.extra)}
    raw: dict[str, Any] = {"id": question.id}
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
