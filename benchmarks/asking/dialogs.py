"""The dialogs of the demo, asked one question after the other: official QuAC scores.

Each dialog is given only the article's title; earlier answers are the model's own. With --parts the
two halves of a dialog are also measured alone: reading in the dialog's own documents, and asking
over the whole corpus with the topic in the place of a pronoun.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from benchmarks.data import read_questions
from benchmarks.registry import command
from lacuna.assets import demo
from lacuna.datasets import get_dataset
from lacuna.metrics.report import score_predictions
from lacuna.pipeline.dialog import ask_in_dialog, dialog_topic
from lacuna.pipeline.dialog_reading import dialog_texts, read_in_dialog
from lacuna.pipeline.follow_up import needs_context, rewrite
from lacuna.pipeline.open_corpus import open_corpus
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.types import AnswerKind, Prediction, Question, Turn

Ask = Callable[[Pipeline, Query], Result]


def read_here(pipeline: Pipeline, query: Query) -> Result:
    """Read in the dialog's own documents only."""
    topic = dialog_topic(pipeline.store, query)
    most = pipeline.config.dialog_characters
    texts = dialog_texts(pipeline.store, query, topic, characters=most)
    result = read_in_dialog(pipeline.store, pipeline.reader, query, texts)
    assert result is not None
    return result


def ask_rewritten(pipeline: Pipeline, query: Query) -> Result:
    """Ask the pipeline only, with the topic in the place of a pronoun."""
    topic = dialog_topic(pipeline.store, query)
    text = query.question
    plain = rewrite(text, topic) if topic and needs_context(text) else text
    return pipeline.ask(Query(plain, title=query.title))


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
    parser.add_argument("--parts", action="store_true", help="measure the two halves alone, too")
    parser.add_argument("--limit", type=int, help="the first so many dialogs")
    options = parser.parse_args(arguments)
    dialogs = list(demo_dialogs().items())[: options.limit]
    questions = [question for _, dialog in dialogs for question in dialog]
    pipeline = open_corpus()
    ways: dict[str, Ask] = {"dialog": ask_in_dialog}
    if options.parts:
        ways |= {"read in the dialog's documents": read_here, "asked anew": ask_rewritten}
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
