"""``lacuna predict``: answer the questions of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import (
    DatasetName,
    File,
    Knowledge,
    OneSystem,
    OnRay,
    ReaderName,
    Resume,
    RetrieverName,
    SettingCorpora,
    SettingName,
    SkipBad,
    SystemModel,
    Threads,
)


def predict(
    dataset: DatasetName,
    file: File,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="PRED", help="Where to write the predictions.")
    ],
    setting: SettingName = None,
    system: OneSystem = None,
    reader: ReaderName = None,
    model: SystemModel = None,
    corpus: SettingCorpora = None,
    retriever: RetrieverName = None,
    knowledge: Knowledge = None,
    threads: Threads = None,
    confidence: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write {id: confidence from 0 to 1} there."),
    ] = None,
    skip_bad: SkipBad = False,
    resume: Resume = False,
    ray: OnRay = None,
) -> None:
    """Answer the questions of a file, and write the answers in the official format.

    What is answered is kept until it is written: after Ctrl-C or a crash, --resume goes on. On a
    cluster (--ray), a question that no worker survives counts as abstained; then the exit code
    is 1.
    """
    from lacuna.cli.cluster import answering_at, exit_if_failed
    from lacuna.cli.console import notify
    from lacuna.cli.evaluation.answering import (
        check_answer_files,
        exit_if_left_out,
        keeping,
        named_systems,
        print_notes,
        show_progress,
    )
    from lacuna.datasets.prediction_files import write_confidences
    from lacuna.systems.assignment import Assignment
    from lacuna.systems.registry import Resources

    (answering,) = named_systems([system] if system else None, reader=reader, model=model)
    resources = Resources(corpus or None, knowledge, retriever, threads)
    assignment = Assignment(dataset, file, setting, [answering], resources, skip_bad=skip_bad)
    check_answer_files(assignment, output, confidence)
    print_notes(assignment)
    label = f"{answering.name}: {file.name}"
    with answering_at(ray) as elsewhere, keeping(assignment, resume=resume) as work:
        with show_progress(label, assignment.questions.total) as done:
            answers = assignment.answers(
                answering, progress=done, kept=work.of(answering), elsewhere=elsewhere
            )
        predictions = answers.predictions
        assignment.dataset.write_predictions(output, predictions)
        if confidence is not None:
            write_confidences(confidence, predictions)
    notify(f"{len(predictions):,} predictions written to {output}.", "Done")
    exit_if_failed(answers.failed)
    exit_if_left_out(assignment.questions.bad)
