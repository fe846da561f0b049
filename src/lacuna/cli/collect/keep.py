"""``lacuna collect backup|restore``: a copy of a project, also while people work in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.collect.project_argument import Database, ProjectFolder


def backup(
    project: ProjectFolder,
    target: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder for the copy.")],
) -> None:
    """Copy a project as it is at this moment; the copy is a project too."""
    from lacuna.cli.collect.project_argument import check_installed
    from lacuna.cli.console import notify
    from lacuna.cli.outputs import check_output_folder

    check_installed()
    from lacuna.collect.keeping import back_up_project

    check_output_folder(target, reads=[project])
    rows = back_up_project(project, target)
    notify(f"{rows:,} rows copied to {target}. The corpus was not copied.", "Done")


def restore(
    source: Annotated[Path, typer.Argument(metavar="DIR", help="A backup.", show_default=False)],
    project: ProjectFolder,
    database: Database = "",
) -> None:
    """Make a project from a backup: PROJECT is a new folder, and its database an empty one."""
    from lacuna.cli.collect.project_argument import check_installed
    from lacuna.cli.console import notify
    from lacuna.cli.outputs import check_output_folder

    check_installed()
    from lacuna.collect.keeping import restore_project

    check_output_folder(project, reads=[source])
    rows = restore_project(source, project, database)
    notify(f"{rows:,} rows restored; start it with: lacuna collect serve {project}", "Done")
