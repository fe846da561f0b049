"""The datasheet of a collected dataset: the project's own numbers, and blanks for its requester."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from lacuna.collect.project import CollectProject
from lacuna.collect.release.released_data import ReleasedData
from lacuna.collect.tasks.task import Json
from lacuna.collect.work.progress import TaskProgress
from lacuna.datasets.describing.blanks import blank
from lacuna.metrics.score_tables import ScoreTable

COUNTED = ("questions", "dialogs", "pairs")
"""What an export may count of what it has left out."""


def dataset_sheet(
    project: CollectProject, title: str, data: ReleasedData, report: Json, licence: str, board: str
) -> str:
    """The sheet as Markdown, with the sections of Gebru et al.'s Datasheets for Datasets."""
    tasks = project.work.progress.all()
    kept = ", ".join(path.name for path in data.kept_back)
    hidden = f"The answers of test are kept back ({kept})." if kept else "All answers are in it."
    return f"""# Datasheet: {title}

## Motivation

{blank("why the dataset was made, by whom, and who paid for it")}

## Composition

Questions of the kind of {project.family.name}, in its own format, about
{len(project.corpus):,} documents. {hidden}

{_splits(data).to_markdown()}

{blank("what the documents are, whose they are, and whether they tell of people")}

## Collection

People worked in the browser with `lacuna collect`. Each had to pass a test before a task.

{_work(project, tasks).to_markdown()}

{_when(tasks)} {_people(project)}

{_left_out(report)}

{_agreement(report)}

{blank("who the people were, how they were found, and whether an ethics board was asked")}

## Pay

{_pay(project, tasks).to_markdown()}

{blank("what a fair hourly pay is where the people live, and how it was reached")}

## Uses

{blank("what the dataset should and should not be used for")}

## Distribution and maintenance

- Licence: {licence or blank("the licence")}
- Board: {board or blank("where predictions for test are scored, if anywhere")}
- {blank("whom to write to, and how errors are mended")}
"""


def _splits(data: ReleasedData) -> ScoreTable:
    rows = tuple((name, count) for name, count in data.public.items() if count is not None)
    return ScoreTable("Splits", ("file", "questions"), rows)


def _work(project: CollectProject, tasks: Sequence[TaskProgress]) -> ScoreTable:
    settings = {task.name: task.settings for task in project.tasks}
    rows = tuple(
        (
            task.task,
            task.accepted,
            task.qualified,
            task.failed,
            f"{settings[task.task].pass_mark:g}",
            "all" if settings[task.task].review_all else settings[task.task].inspect_first,
        )
        for task in tasks
    )
    columns = ("task", "accepted sets", "people who passed", "who did not", "pass mark",
               "sets of a person that are reviewed")  # fmt: skip
    return ScoreTable("Work", columns, rows)


def _pay(project: CollectProject, tasks: Sequence[TaskProgress]) -> ScoreTable:
    settings = {task.name: task.settings for task in project.tasks}
    rows = tuple(
        (
            task.task,
            _dollars(settings[task.task].pay_cents),
            _dollars(task.pay_cents),
            _dollars(task.bonus_cents),
            f"{task.hours:.1f}",
            None if task.dollars_per_hour is None else f"{task.dollars_per_hour:.2f}",
        )
        for task in tasks
    )
    columns = ("task", "$ a set", "$ pay", "$ bonuses", "hours", "$ an hour")
    return ScoreTable("Pay", columns, rows)


def _when(tasks: Sequence[TaskProgress]) -> str:
    hours = [at for task in tasks for at, _ in task.accepted_by_hour]
    if not hours:
        return ""
    first, last = (datetime.fromtimestamp(at, UTC).date() for at in (min(hours), max(hours)))
    return f"The work was handed in from {first} to {last}."


def _people(project: CollectProject) -> str:
    people = {worker.person for worker in project.work.workers.all() if worker.accepted}
    return f"{len(people):,} people have accepted work in it."


def _left_out(report: Json) -> str:
    left = report["written"].get("left_out")
    reasons = left.get("reasons", {}) if isinstance(left, dict) else {}
    if reasons:
        told = "; ".join(f"{why} ({count:,})" for why, count in reasons.items())
        what = next(name for name in COUNTED if name in left)
        return f"{left[what]:,} {what} were left out: {told}."
    count = len(left) if isinstance(left, list) else 0
    return f"{count:,} questions were left out." if count else "No question was left out."


def _agreement(report: Json) -> str:
    """The numbers of the first level: how far people agree, by task."""
    told = [
        f"- {task}: " + ", ".join(f"{name} {_number(value)}" for name, value in numbers.items())
        for task, agreed in report["agreement"].items()
        if (numbers := {k: v for k, v in agreed.items() if isinstance(v, int | float)})
    ]
    return "\n".join(["How far people agree:", "", *told]) if told else ""


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _dollars(cents: int) -> str:
    return f"{cents / 100:,.2f}"
