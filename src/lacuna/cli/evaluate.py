"""``lacuna evaluate``: answer the questions of a file, and score the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lacuna.cli.arguments import File, Json, SkipBad, Task
from lacuna.cli.reading import Job, Model, Output, Setting, Threads, answer_all, judge

if TYPE_CHECKING:
    from lacuna.metrics.confidence import Confidence


def evaluate(
    task: Task,
    file: File,
    setting: Setting = None,
    model: Model = "small",
    threads: Threads = None,
    output: Output = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Answer the questions of a file, and score the answers as `lacuna score` does.

    Beside the official numbers stand the breakdowns of the dataset's paper, and what is risked
    where only the most confident answers are given.
    """
    from lacuna.cli.console import print_json
    from lacuna.cli.score_tables import show, warn
    from lacuna.metrics.confidence import judge_confidence
    from lacuna.tasks import get_task

    job = Job(task, file, setting, model, threads, skip_bad)
    answered = answer_all(job, output, needs_gold=True)
    if output is not None:
        get_task(task).write_predictions(output, answered.predictions)
    metric, report = judge(task, answered)
    confidence = judge_confidence(metric, report, answered.predictions)
    warn(report)
    if as_json:
        about = {"task": task, "setting": answered.setting, "model": model}
        told = {"confidence": confidence and confidence.as_json()}
        print_json({**about, **report.as_json(), **told})
    else:
        print(f"{task}, {answered.setting}")
        show(metric, report)
        if confidence is not None:
            _show_risk(confidence)
    answered.end()


def _show_risk(confidence: Confidence) -> None:
    from lacuna.cli.console import print_table

    found = confidence.as_json()
    rows = [(f"{share} %", 100 * risk) for share, risk in found["risk_at_coverage"].items()]
    rows.append(("area under the curve (AURC)", 100 * found["aurc"]))
    rows.append(("expected calibration error", 100 * found["expected_calibration_error"]))
    title = f"Risk (100 − {confidence.measure}) of the most confident answers"
    print_table(title, ("share that is answered", "risk, %"), rows)
