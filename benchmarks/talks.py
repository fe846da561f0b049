"""The dialogs of the demo, asked one question after the other: official QuAC scores.

    python benchmarks/talks.py [--ways]

Each talk is told only the article's title; earlier answers are the model's own. With ``--ways``
the two halves of a conversation are also measured alone: reading where the talk is, and asking
anew with the topic in the place of a pronoun.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

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

Way = Callable[[Pipeline, Query], Result]


def here(pipeline: Pipeline, asked: Query) -> Result:
    """Only where the talk is."""
    topic = dialog_topic(pipeline.store, asked)
    most = pipeline.config.dialog_characters
    texts = dialog_texts(pipeline.store, asked, topic, characters=most)
    found = read_in_dialog(pipeline.reader, asked, texts)
    assert found is not None
    return found


def anew(pipeline: Pipeline, asked: Query) -> Result:
    """Only the pipeline, with the pronoun spelled out."""
    topic = dialog_topic(pipeline.store, asked)
    text = asked.question
    plain = rewrite(text, topic) if topic and needs_context(text) else text
    return pipeline.ask(Query(plain, title=asked.title))


def talk(pipeline: Pipeline, title: str, dialog: list[Question], way: Way) -> dict[str, Prediction]:
    """The predictions for one dialog, by id."""
    found: dict[str, Prediction] = {}
    history: tuple[Turn, ...] = ()
    for question in dialog:
        result = way(pipeline, Query(question.text, title=title, history=history))
        history = (*history, Turn(question.text, result.answer, result.prediction.acts))
        found[question.id] = result.prediction
    return found


def main() -> None:
    """Print the scores."""
    titles = [one["title"] for one in json.loads(demo.DIALOGS.read_text("utf-8"))["data"]]
    dialogs: list[list[Question]] = []
    with get_dataset("quac").open(demo.DIALOGS) as reader:
        for question in reader.questions():
            if not question.history:
                dialogs.append([])
            dialogs[-1].append(question)
    questions = [question for dialog in dialogs for question in dialog]
    pipeline = open_corpus()
    ways: dict[str, Way] = {"conversation": ask_in_dialog}
    if "--ways" in sys.argv[1:]:
        ways |= {"where the talk is": here, "asked anew": anew}
    for name, way in ways.items():
        predictions: dict[str, Prediction] = {}
        for title, dialog in zip(titles, dialogs, strict=True):
            predictions |= talk(pipeline, title, dialog, way)
        scores = score_predictions(get_dataset("quac").metric(), questions, predictions).as_json()
        kinds = {kind: values["f1"] for kind, values in scores["by_kind"].items()}
        none = sum(
            one.answer is None or one.answer.kind is AnswerKind.NONE for one in predictions.values()
        )
        told = ", ".join(f"{kind} {value:.1f}" for kind, value in kinds.items())
        print(f"{name}: F1 {scores['f1']:.1f} ({told}); none said {none} of {len(questions)} times")


if __name__ == "__main__":
    main()
