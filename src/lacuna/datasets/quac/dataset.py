"""QuAC: a section, and a dialog about it whose answers are spans of the section or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from lacuna import answer_text
from lacuna.answer_text import answer_from_text, text_from_answer
from lacuna.datasets.base import Dataset, Form, Raw
from lacuna.datasets.fields import Fields, keep, visible
from lacuna.datasets.item import Block, Item
from lacuna.datasets.squad.dataset import raw_answers, span_answer
from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json_stream import JsonItems, Shape
from lacuna.files.json_write import Encoded, write_items
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.types import (
    Answer,
    DialogActs,
    Document,
    FollowUp,
    Gold,
    Prediction,
    Question,
    Turn,
    YesNo,
)

NO_ANSWER = answer_text.NO_ANSWER["quac"]
PREDICTED = ("best_span_str", "qid", "yesno", "followup")


class QuAC(Dataset):
    """QuAC."""

    name = "quac"
    about = "dialogs about a section, with dialog acts (Choi et al. 2018)"

    def __init__(self) -> None:
        shapes = (Shape.DATA, Shape.LIST, Shape.LINES)
        self.forms = (Form("dialogs", shapes, _looks_like, _decode, _encode),)

    def facets(self, question: Question) -> dict[str, str]:
        return _raw_acts(question.gold.acts) if question.gold and question.gold.acts else {}

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        found: dict[str, Prediction] = {}
        with open_text(path) as source:
            if not source.head.startswith("{"):
                raise LacunaError(
                    f"{path} holds no QuAC predictions: expected one JSON object a line, one a "
                    f"dialog, with the lists {', '.join(PREDICTED)}."
                )
            for item in JsonItems(source, Shape.LINES):
                try:
                    if item.problem:
                        raise item.problem
                    for id_, prediction in _predicted(Fields(item.value)):
                        if id_ in found:
                            raise BadField("qid", "every question once", f"{id_!r} a second time")
                        found[id_] = prediction
                except BadField as problem:
                    line = f"line {item.number}"
                    raise ItemError(path, line, problem, can_skip=False) from problem
        return found

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        answered = ((id_, found) for id_, found in predictions.items() if found.answer)
        dialogs = groupby(answered, key=lambda entry: dialog_of(entry[0]))
        lines = ((None, _raw_predictions(entries)) for _, entries in dialogs)
        with replace_text(path) as out:
            write_items(out, lines, Shape.LINES, {})


def dialog_of(question_id: str) -> str:
    """The dialog that a question belongs to, as the official scorer reads it off the id."""
    return question_id.split("_q#")[0]


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
    gold, kept = None, {}
    if references or given:
        acts = DialogActs(
            fields.one_of("yesno", YesNo, "y, n or x"),
            fields.one_of("followup", FollowUp, "y, m or n"),
        )
        gold = Gold(
            tuple(_answer(reference, document, gold_only) for reference in references),
            given=_answer(given[0], document, gold_only) if given else None,
            acts=acts if acts != DialogActs() else None,
        )
        kept = {
            **keep("answers", [reference.rest() for reference in references]),
            **keep("orig_answer", [answer.rest() for answer in given]),
        }
    extra = {**fields.rest(), **kept}
    return Question(id_, text, context=document, history=history, gold=gold, extra=extra)


def _answer(fields: Fields, document: Document, gold_only: bool) -> Answer:
    answer = span_answer(fields, document, gold_only)
    return Answer.none(*answer.found_at) if answer.texts[0] == NO_ANSWER else answer


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
            raw.update(_raw_acts(gold.acts))
    return {**raw, **visible(question.extra)}


def _raw_acts(acts: DialogActs) -> dict[str, str]:
    given = {"yesno": acts.yes_no, "followup": acts.follow_up}
    return {name: str(act) for name, act in given.items() if act is not None}


def _predicted(fields: Fields) -> Iterable[tuple[str, Prediction]]:
    ids, texts = fields.texts("qid"), fields.texts("best_span_str")
    acts = [fields.optional_texts(key) or ("",) * len(ids) for key in ("yesno", "followup")]
    for key, values in zip(("best_span_str", "yesno", "followup"), (texts, *acts), strict=True):
        if len(values) != len(ids):
            raise fields.bad(key, f"as many as in qid ({len(ids)})", f"{len(values)}")
    for id_, text, yes_no, follow_up in zip(ids, texts, *acts, strict=True):
        answer = answer_from_text(text, NO_ANSWER, yes_no=False)
        yield id_, Prediction(answer, acts=_acts(id_, yes_no, follow_up))


def _acts(id_: str, yes_no: str, follow_up: str) -> DialogActs | None:
    try:
        acts = DialogActs(
            YesNo(yes_no) if yes_no else None, FollowUp(follow_up) if follow_up else None
        )
    except ValueError:
        allowed = "y, n or x for yesno, and y, m or n for followup"
        raise BadField(
            "yesno/followup", allowed, f"{shown(yes_no + follow_up)} for {id_}"
        ) from None
    return acts if acts != DialogActs() else None


def _raw_predictions(entries: Iterable[tuple[str, Prediction]]) -> dict[str, list[str]]:
    raw: dict[str, list[str]] = {name: [] for name in PREDICTED}
    for id_, prediction in entries:
        acts = prediction.acts or DialogActs()
        raw["qid"].append(id_)
        assert prediction.answer is not None
        raw["best_span_str"].append(text_from_answer(prediction.answer, NO_ANSWER))
        raw["yesno"].append(acts.yes_no or "")
        raw["followup"].append(acts.follow_up or "")
    return raw
