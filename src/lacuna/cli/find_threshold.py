"""``lacuna find-threshold``: how confident an answer must be to be right often enough."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from lacuna.cli.arguments import File, Json, SkipBad, Task
from lacuna.cli.reading import Job, Model, Setting, Threads, answer_all, judge, tell_left_out


def find_threshold(
    task: Task,
    file: File,
    max_error: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="One minus the mean score, at most.")
    ] = 0.1,
    setting: Setting = None,
    model: Model = "small",
    threads: Threads = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Find the lowest confidence from which on the answers of a model are good enough.

    An answer "none" counts as one that is given. Where no threshold keeps the error that low, the
    exit code is 1.
    """
    from lacuna.cli.console import complain, print_json, print_table
    from lacuna.metrics.calibration import judge_confidence

    job = Job(task, file, setting, model, threads, skip_bad)
    answered = answer_all(job, needs_gold=True)
    metric, report = judge(task, answered)
    confidence = judge_confidence(metric, report, answered.predictions)
    found = confidence and confidence.curve.threshold(max_error)
    if as_json:
        about = {"task": task, "setting": answered.setting, "max_error": max_error}
        print_json(
            {**about, "measure": metric.answer_measure, "threshold": found and asdict(found)}
        )
    elif found:
        rows = [
            ("threshold", repr(found.confidence)),
            ("questions answered", found.answered),
            ("share answered, %", 100 * found.coverage),
            ("error, %", 100 * found.error),
        ]
        title = f"Error (100 − {metric.answer_measure}) of at most {100 * max_error:g} %"
        print_table(f"{title} on {file.name}", ("what", "value"), rows)
    if not found:
        complain(
            f"No threshold keeps the error at {max_error:g} or below: even the most confident "
            "answers are wrong more often. Allow a larger --max-error.",
            "Warning",
        )
    tell_left_out(answered.questions)
    if not found:
        raise typer.Exit(1)
