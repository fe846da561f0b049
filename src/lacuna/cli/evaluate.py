"""``lacuna evaluate``: answer the questions of a file, and score the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lacuna.cli.arguments import Json, SkipBad, Task
from lacuna.cli.asking import Corpus
from lacuna.cli.reading import (
    Job,
    OptionalFile,
    Output,
    Setting,
    Threads,
    answer_all,
    demo_file,
    judge,
    tell_left_out,
)
from lacuna.cli.systems import Knowledge, System, SystemModel, SystemName, model_of

if TYPE_CHECKING:
    from lacuna.metrics.calibration import Confidence
    from lacuna.systems.asking import Found


def evaluate(
    task: Task,
    file: OptionalFile = None,
    setting: Setting = None,
    system: SystemName = System.READER,
    model: SystemModel = None,
    threads: Threads = None,
    corpus: Corpus = None,
    knowledge: Knowledge = None,
    output: Output = None,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Answer the questions of a file, and score the answers as `lacuna score` does.

    Beside the official numbers stand the breakdowns of the dataset's paper, and what is risked
    where only the most confident answers are given. Where the questions were asked over a corpus:
    how often it rightly abstained, and whether the gold links were followed.
    """
    from lacuna.cli.console import print_json
    from lacuna.cli.score_tables import show, warn
    from lacuna.datasets import get_dataset
    from lacuna.metrics.calibration import judge_confidence
    from lacuna.systems.asking import judge_search

    file = file or demo_file(task)
    job = Job(
        *(task, file, setting, model_of(system, model), threads, skip_bad, corpus),
        system=system,
        knowledge=knowledge,
    )
    answered = answer_all(job, output, needs_gold=True)
    if output is not None:
        get_dataset(task).write_predictions(output, answered.predictions)
    metric, report = judge(task, answered)
    confidence = judge_confidence(metric, report, answered.predictions)
    found = None
    if answered.results is not None:
        found = judge_search(answered.questions, answered.results)
    warn(report)
    if as_json:
        about = {
            "task": task,
            "setting": answered.setting,
            "system": str(system),
            "model": job.model,
        }
        told = {
            "confidence": confidence and confidence.as_json(),
            "search": found and found.as_json(),
        }
        print_json({**about, **report.as_json(), **told})
    else:
        print(f"{task}, {answered.setting}" + (f", {system}" if system != "reader" else ""))
        show(metric, report)
        if confidence is not None:
            _show_risk(confidence)
        if found is not None:
            _show_search(found)
    tell_left_out(answered.questions)


def _show_risk(confidence: Confidence) -> None:
    from lacuna.cli.console import print_table

    found = confidence.as_json()
    rows = [(f"{share} %", 100 * risk) for share, risk in found["risk_at_coverage"].items()]
    rows.append(("area under the curve (AURC)", 100 * found["aurc"]))
    rows.append(("expected calibration error", 100 * found["expected_calibration_error"]))
    title = f"Risk (100 − {confidence.measure}) of the most confident answers"
    print_table(title, ("share that is answered", "risk, %"), rows)


def _show_search(found: Found) -> None:
    from lacuna.cli.console import print_table

    shares = {
        "abstention precision, %": found.abstention_precision,
        "abstention recall, %": found.abstention_recall,
        "links recall, %": found.links_recall,
    }
    rows = [(name, None if share is None else 100 * share) for name, share in shares.items()]
    rows.append(("documents followed to, a question", found.links_followed))
    print_table("The search", ("what", "value"), rows)
