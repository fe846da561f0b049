"""The dialogs of the demo, asked one question after the other: official QuAC scores.

Each dialog is given only the article's title; earlier answers are the model's own. With --parts
each way to read a follow-up is also measured alone. With --readings it is shown what every question
was read as and what each reading answered, with the confidences that the weights of
pipeline/dialog/deciding.py make comparable.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks.data import read_questions
from benchmarks.registry import command
from lacuna import demo
from lacuna.datasets import get_dataset
from lacuna.metrics.report import score_predictions
from lacuna.pipeline.dialog.conversation import (
    NEAR,
    DialogReading,
    ask_in_dialog,
    read_all_ways,
    understand_query,
)
from lacuna.pipeline.open_corpus import open_corpus
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.types import AnswerKind, Prediction, Question, Turn

Ask = Callable[[Pipeline, Query], Result]


def readings_of(pipeline: Pipeline, query: Query) -> list[DialogReading]:
    """A question, read in every way."""
    return list(read_all_ways(pipeline, query, understand_query(pipeline.store, query)))


def read_one_way(pipeline: Pipeline, query: Query, *, near: bool) -> Result:
    """Read only in the dialog's own documents, or only over the corpus."""
    found = readings_of(pipeline, query)
    return next(one.result for one in found if (one.way in NEAR) is near)


def show_readings(pipeline: Pipeline, query: Query) -> Result:
    """Ask as a dialog does, and print what each reading gave."""
    print(f"{query.question} → {understand_query(pipeline.store, query).text}")
    for one in readings_of(pipeline, query):
        print(f"    {one.way}: {one.result.answer.text!r} {one.result.confidence or 0:.2f}")
    return ask_in_dialog(pipeline, query)


def run_dialog(
    pipeline: Pipeline, title: str, dialog: list[Question], ask: Ask
) -> dict[str, Prediction]:
    """The predictions for one dialog, by id."""
    predictions: dict[str, Prediction] = {}
    history: tuple[Turn, ...] = ()
    for question in dialog:
        result = ask(pipeline, Query(question.text, title=title, history=history))
        history = (*history, Turn(question.text, result.answer, result.prediction.acts))
        predictions[question.id] = result.prediction
    return predictions


def demo_dialogs() -> dict[str, list[Question]]:
    """The questions of each dialog, by the title of its article."""
    titles = [article["title"] for article in json.loads(demo.DIALOGS.read_text("utf-8"))["data"]]
    dialogs: list[list[Question]] = []
    for question in read_questions("quac", demo.DIALOGS):
        if not question.history:
            dialogs.append([])
        dialogs[-1].append(question)
    return dict(zip(titles, dialogs, strict=True))


def main(arguments: Sequence[str]) -> None:
    """Print the scores."""
    parser = command("dialogs", __doc__)
    parser.add_argument("--parts", action="store_true", help="measure each way alone, too")
    parser.add_argument("--readings", action="store_true", help="show every reading")
    parser.add_argument("--limit", type=int, help="the first so many dialogs")
    options = parser.parse_args(arguments)
    dialogs = list(demo_dialogs().items())[: options.limit]
    questions = [question for _, dialog in dialogs for question in dialog]
    pipeline = open_corpus()
    ways: dict[str, Ask] = {"dialog": show_readings if options.readings else ask_in_dialog}
    if options.parts:
        ways["read in the dialog's documents"] = partial(read_one_way, near=True)
        ways["asked of the corpus"] = partial(read_one_way, near=False)
    for name, ask in ways.items():
        predictions: dict[str, Prediction] = {}
        for title, dialog in dialogs:
            predictions |= run_dialog(pipeline, title, dialog, ask)
        scores = score_predictions(get_dataset("quac").metric(), questions, predictions).as_json()
        kinds = {kind: values["f1"] for kind, values in scores["by_kind"].items()}
        none = sum(
            prediction.answer is None or prediction.answer.kind is AnswerKind.NONE
            for prediction in predictions.values()
        )
        by_kind = ", ".join(f"{kind} {value:.1f}" for kind, value in kinds.items())
        print(f"{name}: F1 {scores['f1']:.1f} ({by_kind}); none {none} of {len(questions)} times")
