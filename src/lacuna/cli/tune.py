"""``lacuna tune``: fit a model's doubt and confidence on held-out questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.arguments import File, Task
from lacuna.cli.reading import Setting, Threads


def tune(
    task: Task,
    file: File,
    model: Annotated[Path, typer.Option(metavar="DIR", help="The model; its config is rewritten.")],
    setting: Setting = None,
    threads: Threads = None,
) -> None:
    """Fit when a model should rather say "none", and how sure it may sound.

    Both are fitted on a file with answers and kept in the model's folder, for the style of that
    dataset. What is told of their worth was measured on questions they were not fitted on.
    """
    from lacuna.cli.console import counting_bar, print_table
    from lacuna.read.model_files import find_model
    from lacuna.read.question_file import QuestionFile
    from lacuna.read.reader import Reader
    from lacuna.read.settings import resolve
    from lacuna.read.tune_file import tune_on
    from lacuna.read.tuning import keep_tuning
    from lacuna.tasks import get_task

    chosen = resolve(task, setting)
    questions = list(QuestionFile(get_task(task), file, chosen, skip_bad=False))
    folder = find_model(model)
    reader = Reader.load(folder.path, threads=threads)
    with counting_bar(f"Reading {file.name}", len(questions)) as seen:
        style, measure, tuned = tune_on(reader, task, chosen, questions, seen)
    keep_tuning(folder, style, tuned.tuning)
    rows = [
        ("doubt, in log-odds", tuned.tuning.doubt),
        (f"{measure} without it, %", 100 * tuned.before),
        (f"{measure} with it, cross-fitted, %", 100 * tuned.after),
        ("calibration error without it, %", 100 * tuned.error_before),
        ("calibration error with it, cross-fitted, %", 100 * tuned.error_after),
    ]
    title = f"{style}: fitted on {tuned.questions:,} questions"
    print_table(title, ("what", "value"), rows)
