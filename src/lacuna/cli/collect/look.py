"""``lacuna collect status|review``: how far a project is, and what waits for a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.collect.project_argument import ProjectFolder
from lacuna.cli.options import Json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lacuna.collect.work.review.reviewing import ReviewItem


def status(project: ProjectFolder, as_json: Json = False) -> None:
    """Show how far each task is, what it costs, and how good each worker is."""
    from dataclasses import asdict

    from lacuna.cli.collect.project_argument import opened_project
    from lacuna.cli.console import print_json, print_table

    with opened_project(project) as opened:
        tasks = opened.work.progress.all()
        workers = opened.work.workers.all()
    if as_json:
        print_json({"tasks": [*map(asdict, tasks)], "workers": [*map(asdict, workers)]})
        return
    print_table(
        f"Tasks of {project}",
        ("task", "items", "wanted", "accepted", "waiting", "open", "qualified", "$", "$/hour"),
        [
            (
                task.task,
                task.items,
                task.wanted,
                task.accepted,
                task.states.get("waiting", 0),
                task.states.get("open", 0) + task.states.get("returned", 0),
                task.qualified,
                f"{(task.pay_cents + task.bonus_cents) / 100:.2f}",
                _money(task.dollars_per_hour),
            )
            for task in tasks
        ],
    )
    print_table(
        "Workers",
        ("worker", "task", "accepted", "sent back", "gold", "agreement", "minutes", "$"),
        [
            (
                f"{worker.name}{' (blocked)' if worker.is_blocked else ''}",
                worker.task,
                worker.accepted,
                worker.sent_back,
                _share(worker.gold),
                _share(worker.agreement),
                "" if worker.median_seconds is None else f"{worker.median_seconds / 60:.1f}",
                f"{worker.cents / 100:.2f}",
            )
            for worker in workers
        ],
    )


def review(
    project: ProjectFolder,
    accept: Annotated[
        list[int] | None,
        typer.Option(metavar="NUMBER", help="Accept this submission.", show_default=False),
    ] = None,
    send_back: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Send it back, with --reason.", show_default=False),
    ] = None,
    reject: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Leave it out, with --reason.", show_default=False),
    ] = None,
    reason: Annotated[str, typer.Option(help="What the worker is told.")] = "",
    sample: Annotated[
        int, typer.Option(min=0, help="Show so much accepted work that nobody has looked at.")
    ] = 0,
    as_json: Json = False,
) -> None:
    """List what waits for a reviewer, or decide about it.

    With --json, the work itself is printed as well; the page of the server shows it best.
    """
    from lacuna.cli.collect.project_argument import opened_project
    from lacuna.cli.console import notify

    with opened_project(project) as opened:
        reviews = opened.work.reviews
        for submission in accept or ():
            reviews.accept(submission)
            notify(f"Submission {submission} is accepted.", "Done")
        if send_back is not None:
            reviews.send_back(send_back, reason)
            notify(f"Submission {send_back} is sent back.", "Done")
        if reject is not None:
            reviews.reject(reject, reason)
            notify(f"Submission {reject} is left out.", "Done")
        if accept or send_back is not None or reject is not None:
            return
        items = reviews.inspection_sample(sample) if sample else reviews.queue()
    _print_reviews(items, "Samples" if sample else "Waiting for a reviewer", as_json)


def _print_reviews(items: Sequence[ReviewItem], title: str, as_json: bool) -> None:
    from dataclasses import asdict

    from lacuna.cli.console import print_json, print_table

    if as_json:
        print_json([asdict(item) for item in items])
        return
    print_table(
        title,
        ("number", "task", "worker", "item", "minutes", "late"),
        [
            (
                item.submission,
                item.task,
                item.name,
                item.item_key,
                f"{item.seconds / 60:.1f}",
                "yes" if item.late else "",
            )
            for item in items
        ],
    )


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _money(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
