"""``lacuna collect bonuses``: what good work has earned beside its pay."""

from __future__ import annotations

from typing import Annotated

import typer

from lacuna.cli.collect.project_argument import ProjectFolder
from lacuna.cli.options import Json


def bonuses(
    project: ProjectFolder,
    pay: Annotated[
        bool, typer.Option("--pay", help="Enter them in the ledger; the workers see them.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show the bonuses that are due by a task's rules, such as HotpotQA's for the best workers.

    What was entered once is not due again. Bonuses for other things are given in the console.
    """
    from dataclasses import asdict

    from lacuna.cli.collect.project_argument import opened_project
    from lacuna.cli.console import notify, print_json, print_table

    with opened_project(project) as opened:
        found = opened.work.bonuses.pay() if pay else opened.work.bonuses.due()
    if as_json:
        print_json([asdict(one) for one in found])
    elif found:
        print_table(
            "Entered now" if pay else "Due",
            ("worker", "task", "$", "for"),
            [(one.name, one.task, f"{one.cents / 100:.2f}", one.reason) for one in found],
        )
    if not found:
        notify("No bonus is due.", "Done")
    elif not pay:
        notify(f"Enter them with: lacuna collect bonuses {project} --pay", "Next")
