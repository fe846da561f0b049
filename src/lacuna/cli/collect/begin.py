"""``lacuna collect init|invite``: a new project, and the people who come to it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.collect.project_argument import Database, ProjectFolder
from lacuna.errors import LacunaError

ADDRESS = "http://127.0.0.1:8430"
Address = Annotated[
    str, typer.Option("--url", help="The address that the server is reached under.")
]


def init(
    project: ProjectFolder,
    task: Annotated[
        str,
        typer.Option(
            help="Any task of the dataset to be made, such as iirc-questions, hotpotqa-questions "
            "or kgd-facts; the tasks that belong to it come along. human-check measures people.",
            show_default=False,
        ),
    ],
    corpus: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The documents that it is about: a corpus, a folder or a file. Tasks whose "
            "questions are in files need none.",
            exists=True,
            show_default=False,
        ),
    ] = None,
    database: Database = "",
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting that is not to be the paper's, such as paragraphs=3; TASK.NAME=VALUE "
            "for one of another task. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    address: Address = ADDRESS,
) -> None:
    """Make a project: its folder, its settings, its database and its first items."""
    import shutil

    from lacuna.cli.collect.project_argument import check_installed
    from lacuna.cli.console import notify, print_table, say
    from lacuna.cli.outputs import check_output_folder

    check_installed()
    from lacuna.collect.given_settings import set_by_hand
    from lacuna.collect.people.invitations import JOIN
    from lacuna.collect.people.person import CollectRole
    from lacuna.collect.project import CollectProject
    from lacuna.collect.tasks.families import family_of

    family = family_of(task)
    check_output_folder(project, reads=[corpus])
    tasks = set_by_hand({one.name: one.settings for one in family.tasks}, set_ or (), task)
    with CollectProject.create(project, family, corpus, database, tasks) as made:
        try:
            items = made.make_items()
        except LacunaError:
            # Whoever tries again with other settings does not want half a project in the way.
            shutil.rmtree(project)
            raise
        code = made.accounts.invitations.invite(CollectRole.REQUESTER, note="the first requester")
    rows = [(name, count or "made while people work") for name, count in items.items()]
    print_table(f"Items of {project}", ("task", "items"), rows)
    notify(
        f"{project} is made; its settings are in {project / 'project.toml'}. Start it with: "
        f"lacuna collect serve {project}",
        "Done",
    )
    notify("Whoever opens this address first becomes the requester:", "Next")
    say(f"{address.rstrip('/')}{JOIN}{code}")


def invite(
    project: ProjectFolder,
    role: Annotated[str, typer.Option(help="worker, reviewer or requester.")] = "worker",
    count: Annotated[int, typer.Option(min=1, max=1000, help="How many invitations.")] = 1,
    uses: Annotated[
        int, typer.Option(min=1, max=100_000, help="How many people each of them lets in.")
    ] = 1,
    days: Annotated[float, typer.Option(min=0.01, max=3650, help="How long they hold.")] = 14,
    note: Annotated[str, typer.Option(help="Whom they are for.")] = "",
    address: Address = ADDRESS,
) -> None:
    """Print links that make accounts; nothing of them can be printed again."""
    from lacuna.cli.collect.project_argument import opened_project
    from lacuna.cli.console import say
    from lacuna.errors import no_such

    with opened_project(project) as opened:
        from lacuna.collect.people.invitations import JOIN
        from lacuna.collect.people.person import CollectRole

        if role not in list(CollectRole):
            raise no_such("role", role, list(CollectRole))
        for _ in range(count):
            code = opened.accounts.invitations.invite(
                CollectRole(role), uses=uses, days=days, note=note
            )
            say(f"{address.rstrip('/')}{JOIN}{code}")
