"""``lacuna score``: the official numbers, and what stands beside them."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.arguments import Json, Task


def score(
    task: Task,
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The dataset file with answers.")],
    predictions: Annotated[
        Path, typer.Argument(metavar="PRED", help="Predictions in the official format.")
    ],
    as_json: Json = False,
    per_question: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write each question's scores there, one JSON a line."),
    ] = None,
    na_prob: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="SQuAD 2.0: {id: probability of no answer}."),
    ] = None,
    ignore_unknown: Annotated[
        bool, typer.Option("--ignore-unknown", help="Leave out predictions for unknown questions.")
    ] = False,
) -> None:
    """Score predictions as the official scorer does, to the last digit.

    Beside the official numbers stand the floor of a system that always abstains, 95% intervals,
    the scores per kind of answer, and how many predictions were missing.
    """
    from lacuna.cli.console import print_json, watched
    from lacuna.cli.score_tables import show, warn
    from lacuna.datasets import get_dataset
    from lacuna.datasets.prediction_files import read_probabilities
    from lacuna.errors import LacunaError
    from lacuna.metrics.report import score_predictions, write_scores

    # Several threads cost more than they bring on matrices this small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()  # nothing here is cyclic, and looking for cycles takes a tenth of the time
    dataset = get_dataset(task)
    options = {}
    if na_prob is not None:
        if "no_answer_probability" not in dataset.metric_options:
            raise LacunaError(f"--na-prob belongs to SQuAD 2.0, not to {task}. Leave it out.")
        options["no_answer_probability"] = read_probabilities(na_prob)
    metric = dataset.metric(**options)
    predicted = dataset.read_predictions(predictions)
    if quick := dataset.gold_at_once(gold):
        report = score_predictions(metric, quick, predicted, ignore_unknown=ignore_unknown)
    else:
        with dataset.open(gold, gold_only=True) as reader:
            questions = watched(reader.questions(), reader.source, f"Scoring {predictions.name}")
            report = score_predictions(metric, questions, predicted, ignore_unknown=ignore_unknown)
    warn(report)
    if per_question is not None:
        write_scores(per_question, report)
    if as_json:
        print_json({"task": task, **report.as_json()})
    else:
        show(metric, report)
