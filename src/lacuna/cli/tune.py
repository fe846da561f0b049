"""``lacuna tune``: fit a model's doubt and confidence on held-out questions."""

from __future__ import annotations

import json
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
    import numpy as np

    from lacuna.cli.console import counting_bar, print_table
    from lacuna.files.writing import replace_text
    from lacuna.metrics import get_metric
    from lacuna.metrics.report import evaluate
    from lacuna.read.decode import MAY_ABSTAIN
    from lacuna.read.model_files import CONFIG, find_model
    from lacuna.read.question_file import QuestionFile
    from lacuna.read.reader import Reader
    from lacuna.read.settings import enter, resolve, style_of
    from lacuna.read.tune import Weighing
    from lacuna.read.tune import tune as fit
    from lacuna.read.tuning import KEY, Tuning
    from lacuna.tasks import get_task
    from lacuna.types import Answer, Prediction

    chosen = resolve(task, setting)
    style = style_of(task, chosen)
    questions = list(QuestionFile(get_task(task), file, chosen, skip_bad=False))
    folder = find_model(model)
    reader = Reader.load(folder.path, threads=threads)
    with counting_bar(f"Reading {file.name}", len(questions)) as seen:
        done = 0

        def more(count: int) -> None:
            nonlocal done
            done += count
            seen(done)

        entered = [enter(task, chosen, question) for question in questions]
        weighed = reader.weigh(entered, style=style, progress=more)

    metric = get_metric(task)

    def scores(predictions: dict[str, Prediction]) -> dict[str, float]:
        report = evaluate(metric, questions, predictions)
        column = report.measures.index(metric.answer_measure)
        return {
            score.id: value for score in report.scores if (value := score.row[column]) is not None
        }

    always = Tuning(doubt=-1e9)
    given = {q.id: one.decided(always) for q, one in zip(questions, weighed, strict=True)}
    answered = scores(given)
    none = scores({q.id: Prediction(Answer.none()) for q in questions})
    kept = [(q, one) for q, one in zip(questions, weighed, strict=True) if q.id in answered]
    weighing = Weighing(
        np.array([one.margin for _, one in kept]),
        np.array([answered[q.id] for q, _ in kept]),
        np.array([none[q.id] for q, _ in kept]),
    )
    tuned = fit([one for _, one in kept], weighing, may_abstain=style in MAY_ABSTAIN)
    config = dict(folder.config)
    config[KEY] = {**config.get(KEY, {}), str(style): tuned.tuning.as_json()}
    with replace_text(folder.path / CONFIG) as out:
        json.dump(config, out, indent=1, ensure_ascii=False)
        out.write("\n")
    rows = [
        ("doubt, in log-odds", tuned.tuning.doubt),
        (f"{metric.answer_measure} without it, %", 100 * tuned.before),
        (f"{metric.answer_measure} with it, cross-fitted, %", 100 * tuned.after),
        ("calibration error without it, %", 100 * tuned.error_before),
        ("calibration error with it, cross-fitted, %", 100 * tuned.error_after),
    ]
    print_table(f"{style}: fitted on {len(kept):,} questions", ("what", "value"), rows)
