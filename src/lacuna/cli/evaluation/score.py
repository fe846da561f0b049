"""``lacuna score``: the official numbers, and what stands beside them."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import DatasetName, Json


@contextmanager
def _no_looking_for_cycles() -> Iterator[None]:
    """Nothing that is scored is cyclic, and looking for cycles takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@_no_looking_for_cycles()
def score(
    dataset: DatasetName,
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
    the scores per kind of answer and by the labels of the dataset's paper, how well questions
    without an answer were recognised, and how many predictions were missing.
    """
    from lacuna.cli.console import notify, print_json, print_tables, warn, with_progress
    from lacuna.cli.outputs import check_outputs
    from lacuna.datasets import get_dataset
    from lacuna.datasets.prediction_files import read_probabilities
    from lacuna.errors import LacunaError
    from lacuna.metrics.report import score_predictions, write_scores
    from lacuna.metrics.score_tables import report_tables

    # Several threads cost more than they bring on matrices this small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    source = get_dataset(dataset)
    check_outputs([per_question], reads=[gold, predictions, na_prob])
    options = {}
    if na_prob is not None:
        if "no_answer_probability" not in source.metric_options:
            raise LacunaError(f"--na-prob belongs to SQuAD 2.0, not to {dataset}. Leave it out.")
        options["no_answer_probability"] = read_probabilities(na_prob)
    metric = source.metric(**options)
    predicted = source.read_predictions(predictions)
    judged = partial(
        score_predictions,
        metric,
        predictions=predicted,
        ignore_unknown=ignore_unknown,
        facets=source.breakdowns,
    )
    if quick := source.gold_at_once(gold):
        report = judged(quick)
    else:
        with source.open(gold, gold_only=True) as reader:
            questions = with_progress(
                reader.questions(), reader.source, f"Scoring {predictions.name}"
            )
            report = judged(questions)
    for warning in report.warnings():
        warn(warning)
    for note in report.lacks(source.breakdown_fields):
        notify(note)
    if per_question is not None:
        write_scores(per_question, report)
    if as_json:
        print_json({"task": dataset, **report.as_json()})
    else:
        print_tables(report_tables(metric, report))
