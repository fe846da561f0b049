"""``lacuna release``: a collected dataset as a folder that can be put on the web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.collect.project_argument import ProjectFolder


def release(
    project: ProjectFolder,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="A new folder.", show_default=False),
    ],
    title: Annotated[
        str, typer.Option(help="What the dataset is called; without it, as the project's folder.")
    ] = "",
    licence: Annotated[
        str,
        typer.Option(help="CC0-1.0, CC-BY-4.0, CC-BY-SA-4.0 or CC-BY-NC-4.0; blank without it."),
    ] = "",
    board: Annotated[
        str, typer.Option(metavar="URL", help="Where predictions for test are scored.")
    ] = "",
) -> None:
    """Write a dataset with its page, datasheet, statistics, loading code and checksums.

    The answers of test are kept back in the project's folder, for `lacuna board add`.
    """
    from lacuna.cli.collect.project_argument import opened_project
    from lacuna.cli.console import notify, print_table
    from lacuna.cli.outputs import check_output_folder

    check_output_folder(out, reads=[project])
    with opened_project(project) as opened:
        from lacuna.collect.release.releasing import release as write_release

        shown = title or project.resolve().name
        data = write_release(opened, out, title=shown, licence=licence, board=board)
    rows = list(data.public.items())
    print_table(f"Released in {out}", ("file", "questions"), rows)
    for path in data.kept_back:
        notify(f"{path} stays with you: its answers are not released.", "Kept back")
    notify(f"Fill in the blanks of {out / 'DATASHEET.md'} and of LICENSE.txt.", "Next")
