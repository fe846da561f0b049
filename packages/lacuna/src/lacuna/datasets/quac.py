"""QuAC: a section, and a dialog about it whose answers are spans of the section or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lacuna import demo
from lacuna.answers import CANNOT_ANSWER, AnswerMode, answer_from_text, text_from_answer
from lacuna.datasets.base import (
    Block,
    Dataset,
    Form,
    Item,
    Raw,
    Setting,
    by_name,
    unanswered_history,
)
from lacuna.datasets.baselines import QUAC_BASELINES as BASELINES
from lacuna.datasets.fetch import OfficialFile, OfficialFiles
from lacuna.datasets.fields import Fields, keep, visible
from lacuna.datasets.quac_metric import QuacMetric, chunk_at, place_of, section_length
from lacuna.datasets.squad import raw_answers, span_answer
from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json import Encoded, JsonItems, Shape, write_items
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.metrics.metric import Metric
from lacuna.types import (
    Answer,
    AnswerKind,
    DialogActs,
    Document,
    Evidence,
    FollowUp,
    Gold,
    Prediction,
    Question,
    Role,
    Turn,
    YesNo,
)

if TYPE_CHECKING:
    from lacuna_lab.describe.description import Description
    from lacuna_lab.describe.labelling import LabellingTask


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


LENGTHS = (5, 10, 15, 20, 25)
"""The longest answers of each bin, in words; longer ones have a bin of their own."""
AFTER = {
    FollowUp.YES: "follow up",
    FollowUp.MAYBE: "maybe follow up",
    FollowUp.NO: "don't follow up",
}
BREAKDOWN_FIELDS = {
    "distance": "orig_answer",
    "answer length": "orig_answer",
    "previous act": "followup",
}


def dialog_labels(question: Question) -> dict[str, str]:
    """Turn, distance from the previous answer, length of the answer, and dialog acts."""
    labels = {"turn": str(len(question.history) + 1)}
    gold, before = question.gold, question.history[-1] if question.history else None
    given = gold.given if gold else None
    if (distance := _distance(question)) is not None:
        labels["distance"] = str(distance)
    if given is not None and given.kind is not AnswerKind.NONE:
        labels["answer length"] = length_bin(len(given.texts[0].split()))
    if before is not None and before.acts is not None and before.acts.follow_up is not None:
        labels["previous act"] = AFTER[before.acts.follow_up]
    return {**labels, **(raw_acts(gold.acts) if gold and gold.acts else {})}


def _distance(question: Question) -> int | None:
    """The number of chunks between the beginnings of an answer and of the one before it."""
    if question.gold is None or question.context is None or not question.history:
        return None
    section = section_length(question.context.text)
    here, there = place_of(question.gold.given), place_of(question.history[-1].answer)
    if here is None or there is None or not section:
        return None
    return abs(chunk_at(here.start, section) - chunk_at(there.start, section))


def length_bin(words: int) -> str:
    """The bin of an answer's length.

    >>> length_bin(5), length_bin(6), length_bin(40)
    ('1–5', '6–10', '26+')
    """
    low = 1
    for high in LENGTHS:
        if words <= high:
            return f"{low}–{high}"
        low = high + 1
    return f"{low}+"


ADDRESS = "https://s3.amazonaws.com/my89public/quac/"
PREDICTED = ("best_span_str", "qid", "yesno", "followup")


class QuAC(Dataset):
    """QuAC."""

    name = "quac"
    about = "dialogs about a section, with dialog acts (Choi et al. 2018)"
    forms = (DIALOGS,)
    settings = by_name(
        Setting("gold-history", AnswerMode.DIALOG),
        Setting("predicted-history", AnswerMode.DIALOG, unanswered_history, predicted_history=True),
    )
    no_answer = CANNOT_ANSWER
    downloads = OfficialFiles(
        "CC BY-SA 4.0",
        "https://quac.ai",
        (
            OfficialFile(
                ADDRESS + "train_v0.2.json",
                68114819,
                "ff5cca5a2e4b4d1cb5b5ced68b9fce88394ef6d93117426d6d4baafbcc05c56a",
            ),
            OfficialFile(
                ADDRESS + "val_v0.2.json",
                8929167,
                "09e622916280ba04c9352acb1bc5bbe80f11a2598f6f34e934c51d9e6570f378",
            ),
        ),
    )
    breakdown_fields = BREAKDOWN_FIELDS
    baselines = BASELINES
    demo_questions = demo.DIALOGS

    def metric(self, **options: Any) -> Metric:
        return QuacMetric(**options)

    def description(self) -> Description:
        from lacuna_lab.describe.quac import QuacDescription

        return QuacDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        from lacuna_lab.describe.quac import TASKS

        return TASKS

    def facets(self, question: Question) -> dict[str, str]:
        return raw_acts(question.gold.acts) if question.gold and question.gold.acts else {}

    def breakdowns(self, question: Question) -> dict[str, str]:
        return dialog_labels(question)

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        predictions: dict[str, Prediction] = {}
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
                        if id_ in predictions:
                            raise BadField("qid", "every question once", f"{id_!r} a second time")
                        predictions[id_] = prediction
                except BadField as problem:
                    line = f"line {item.number}"
                    raise ItemError(path, line, problem, can_skip=False) from problem
        return predictions

    def write_predictions(self, path: Path, predictions: Mapping[str, Prediction]) -> None:
        answered = (entry for entry in predictions.items() if entry[1].answer)
        dialogs = groupby(answered, key=lambda entry: dialog_of(entry[0]))
        lines = ((None, _raw_predictions(entries)) for _, entries in dialogs)
        with replace_text(path) as out:
            write_items(out, lines, Shape.LINES, {})


def dialog_of(question_id: str) -> str:
    """The dialog that a question belongs to, as the official scorer reads it off the id."""
    return question_id.split("_q#")[0]


def _predicted(fields: Fields) -> Iterable[tuple[str, Prediction]]:
    ids, texts = fields.texts("qid"), fields.texts("best_span_str")
    acts = [fields.optional_texts(key) or ("",) * len(ids) for key in ("yesno", "followup")]
    for key, values in zip(("best_span_str", "yesno", "followup"), (texts, *acts), strict=True):
        if len(values) != len(ids):
            raise fields.bad(key, f"as many as in qid ({len(ids)})", f"{len(values)}")
    for id_, text, yes_no, follow_up in zip(ids, texts, *acts, strict=True):
        answer = answer_from_text(text, CANNOT_ANSWER, yes_no=False)
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
        raw["best_span_str"].append(text_from_answer(prediction.answer, CANNOT_ANSWER))
        raw["yesno"].append(acts.yes_no or "")
        raw["followup"].append(acts.follow_up or "")
    return raw
