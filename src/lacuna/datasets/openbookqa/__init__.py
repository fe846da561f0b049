"""OpenBookQA: a science question, four choices, and the core fact behind the right one.

Files may have the annotations of KGD, the knowledge-gap dataset of GapQA's authors. A plain text
file of facts, one a line, is read as well.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lacuna.answer_mode import AnswerMode
from lacuna.assets import demo
from lacuna.datasets.base import Dataset
from lacuna.datasets.official_files import OfficialFile, OfficialFiles
from lacuna.datasets.openbookqa.errors import ERROR_FIELDS, error_labels
from lacuna.datasets.openbookqa.metric import OpenBookQAMetric
from lacuna.datasets.openbookqa.openbookqa_format import FACTS, QUESTIONS, id_with_fact
from lacuna.datasets.setting import Setting, by_name
from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json_decode import FORBIDDEN, LARGEST_VALUE
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text
from lacuna.metrics.metric import Metric
from lacuna.text import STOP_WORDS, words
from lacuna.types import Answer, Prediction, Question

if TYPE_CHECKING:
    from lacuna.datasets.answer_trace import AnswerTrace
    from lacuna.datasets.describing.description import Description
    from lacuna.datasets.describing.labelling import LabellingTask

__all__ = ["OpenBookQA", "id_with_fact", "is_short", "right_choice"]

SHORT, LONGER = "OBQA-Short", "longer choices"
SHORT_WORDS = 2


def _without_fact(question: Question) -> Question:
    return replace(question, fact=None)


class OpenBookQA(Dataset):
    """OpenBookQA, with KGD's annotations where a file has them."""

    name = "openbookqa"
    about = "science questions with choices and a core fact (Mihaylov et al. 2018; KGD 2019)"
    forms = (QUESTIONS, FACTS)
    settings = by_name(
        Setting("core-fact", AnswerMode.CHOOSE),
        Setting("no-fact", AnswerMode.CHOOSE, _without_fact),
    )
    downloads = OfficialFiles(
        "Apache-2.0",
        "https://allenai.org/data/open-book-qa",
        (
            OfficialFile(
                "https://s3-us-west-2.amazonaws.com/ai2-website/data/OpenBookQA-V1-Sep2018.zip",
                1446098,
                "82368cf05df2e3b309c17d162e10b888b4d768fad6e171e0a041954c8553be46",
                members=(
                    "OpenBookQA-V1-Sep2018/Data/Main/openbook.txt",
                    "OpenBookQA-V1-Sep2018/Data/Additional/train_complete.jsonl",
                    "OpenBookQA-V1-Sep2018/Data/Additional/dev_complete.jsonl",
                    "OpenBookQA-V1-Sep2018/Data/Additional/test_complete.jsonl",
                    "OpenBookQA-V1-Sep2018/Data/Additional/crowdsourced-facts.txt",
                ),
            ),
        ),
    )
    error_fields = ERROR_FIELDS
    demo_questions = demo.OPENBOOK

    def metric(self, **options: Any) -> Metric:
        return OpenBookQAMetric(**options)

    def unique_id(self, question: Question) -> str:
        return id_with_fact(question)

    def description(self) -> Description:
        from lacuna.datasets.openbookqa.description import OpenBookDescription

        return OpenBookDescription()

    def labelling(self) -> tuple[LabellingTask, ...]:
        from lacuna.datasets.openbookqa.labelling import TASKS

        return TASKS

    def facets(self, question: Question) -> dict[str, str]:
        relations = (question.gold and question.gold.relations) or ()
        labels = {"relation": ", ".join(dict.fromkeys(relations))} if relations else {}
        return {"subset": SHORT if is_short(question) else LONGER, **labels}

    def errors(
        self, question: Question, prediction: Prediction, trace: AnswerTrace
    ) -> dict[str, str]:
        return error_labels(question, prediction, trace)

    def read_predictions(self, path: Path) -> dict[str, Prediction]:
        predictions: dict[str, Prediction] = {}
        with open_text(path) as source:
            rows = csv.reader(source.lines(LARGEST_VALUE))
            try:
                for row in rows:
                    if not row:
                        continue
                    line = f"line {rows.line_num}"
                    id_, label = _row(path, line, row)
                    if id_ in predictions:
                        twice = BadField("id", "every question once", f"{id_!r} a second time")
                        raise ItemError(path, line, twice, can_skip=False)
                    predictions[id_] = Prediction(Answer.choice(label))
            except csv.Error as error:
                raise LacunaError(
                    f"{path} is not a CSV file of id,choice: {error} at line {rows.line_num}."
                ) from error
        if not predictions:
            raise LacunaError(f"{path} holds no predictions: expected lines of id,choice.")
        return predictions

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
