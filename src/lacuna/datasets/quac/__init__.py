"""QuAC: a section, and a dialog about it whose answers are spans of the section or none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lacuna.answer_mode import AnswerMode
from lacuna.answer_text import CANNOT_ANSWER, answer_from_text, text_from_answer
from lacuna.assets import demo
from lacuna.datasets.base import Dataset
from lacuna.datasets.fields import Fields
from lacuna.datasets.official_files import OfficialFile, OfficialFiles
from lacuna.datasets.quac.baselines import BASELINES
from lacuna.datasets.quac.breakdowns import BREAKDOWN_FIELDS, dialog_labels
from lacuna.datasets.quac.metric import QuacMetric
from lacuna.datasets.quac.quac_format import DIALOGS, raw_acts
from lacuna.datasets.setting import Setting, by_name, unanswered_history
from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json_stream import JsonItems, Shape
from lacuna.files.json_write import write_items
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.metrics.metric import Metric
from lacuna.types import DialogActs, FollowUp, Prediction, Question, YesNo

if TYPE_CHECKING:
    from lacuna.datasets.describing.description import Description
    from lacuna.datasets.describing.labelling import LabellingTask

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
        from lacuna.datasets.quac.description import QuacDescription

        return QuacDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        from lacuna.datasets.quac.labelling import TASKS

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
