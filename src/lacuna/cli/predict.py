"""``lacuna predict``: answer the questions of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.arguments import File, SkipBad, Task
from lacuna.cli.reading import Job, Setting, Threads, answer_all, tell_left_out
from lacuna.cli.systems import Knowledge, System, SystemModel, SystemName, model_of


def predict(
    task: Task,
    file: File,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="PRED", help="Where to write the predictions.")
    ],
    setting: Setting = None,
    system: SystemName = System.READER,
    model: SystemModel = None,
    knowledge: Knowledge = None,
    threads: Threads = None,
    confidence: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write {id: confidence from 0 to 1} there."),
    ] = None,
    skip_bad: SkipBad = False,
) -> None:
    """Answer the questions of a file, and write the answers in the official format."""
    from lacuna.cli.console import complain
    from lacuna.datasets import get_dataset
    from lacuna.datasets.prediction_files import write_confidences

    named = model_of(system, model)
    job = Job(task, file, setting, named, threads, skip_bad, system=system, knowledge=knowledge)
    answered = answer_all(job, output, confidence)
    get_dataset(task).write_predictions(output, answered.predictions)
    if confidence is not None:
        write_confidences(confidence, answered.predictions)
    complain(f"{len(answered.predictions):,} predictions written to {output}.", "Done")
    tell_left_out(answered.questions)
