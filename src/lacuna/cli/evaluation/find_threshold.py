"""``lacuna find-threshold``: how confident an answer must be to be right often enough."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from lacuna.cli.options import (
    DatasetName,
    File,
    Json,
    ReaderName,
    RetrieverName,
    SettingCorpora,
    SettingName,
    SkipBad,
    SystemModel,
    Threads,
)


def find_threshold(
    dataset: DatasetName,
    file: File,
    max_error: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="One minus the mean score, at most.")
    ] = 0.1,
    setting: SettingName = None,
    reader: ReaderName = None,
    model: SystemModel = None,
    corpus: SettingCorpora = None,
    retriever: RetrieverName = None,
    threads: Threads = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Find the lowest confidence from which on the answers of a model are good enough.

    An answer "none" counts as one that is given. Where no threshold keeps the error that low, the
    exit code is 1.
    """
    from lacuna.cli.console import print_json, print_table, warn
    from lacuna.cli.evaluation.answering import (
        exit_if_left_out,
        named_systems,
        print_notes,
        show_progress,
    )
    from lacuna.experiment import run
    from lacuna.systems.assignment import Assignment
    from lacuna.systems.registry import Resources

    systems = named_systems(None, reader=reader, model=model)
    resources = Resources(corpus or None, retriever=retriever, threads=threads)
    assignment = Assignment(
        dataset, file, setting, systems, resources, skip_bad=skip_bad, needs_gold=True
    )
    print_notes(assignment)
    experiment = run(assignment, progress=show_progress)
    (result,) = experiment.systems
    measure = result.metric.answer_measure
    threshold = result.confidence and result.confidence.curve.threshold(max_error)
    if as_json:
        about = {"task": dataset, "setting": experiment.setting, "max_error": max_error}
        print_json({**about, "measure": measure, "threshold": threshold and asdict(threshold)})
    elif threshold:
        rows = [
            ("threshold", repr(threshold.confidence)),
            ("questions answered", threshold.answered),
            ("share answered, %", 100 * threshold.coverage),
            ("error, %", 100 * threshold.error),
        ]
        title = f"Error (100 − {measure}) of at most {100 * max_error:g} %"
        print_table(f"{title} on {file.name}", ("what", "value"), rows)
    if not threshold:
        warn(
            f"No threshold keeps the error at {max_error:g} or below: even the most confident "
            "answers are wrong more often. Allow a larger --max-error."
        )
    exit_if_left_out(experiment.left_out)
    if not threshold:
        raise typer.Exit(1)
