"""``lacuna collect export|import``: the dataset out, further items in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.collect.project_argument import ProjectFolder
from lacuna.cli.options import Json


def export(
    project: ProjectFolder,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="The folder to write to.", show_default=False),
    ],
    as_json: Json = False,
) -> None:
    """Write the accepted work in the dataset's own format, people may go on working."""
    import json

    from lacuna.cli.collect.project_argument import opened_project
    from lacuna.cli.console import notify, print_json, say
    from lacuna.cli.outputs import check_output_folder

    check_output_folder(out, reads=[project])
    with opened_project(project) as opened:
        out.mkdir(parents=True, exist_ok=True)
        report = opened.export(out)
        is_begun = any(opened.work.finished.all().values())
    if as_json:
        print_json(report)
    else:
        say(json.dumps(report, ensure_ascii=False, indent=1))
    if not any(out.iterdir()):
        notify(f"No work is accepted that could be written: {out} is empty.", "Note")
    elif not is_begun:
        notify(f"No work is accepted yet: the files in {out} hold no questions.", "Note")
    else:
        notify(f"The dataset is in {out}.", "Done")


def import_(
    project: ProjectFolder,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="JSON lines, each with task, key and payload, and if need be copies, split, gold "
            "and not_for. Without it, what is new in the corpus is taken.",
            exists=True,
            dir_okay=False,
            show_default=False,
        ),
    ] = None,
) -> None:
    """Add further items; those whose keys are there already stay as they are."""
    from lacuna.cli.collect.project_argument import opened_project
    from lacuna.cli.console import notify, print_table

    with opened_project(project) as opened:
        if file is None:
            added = opened.make_items()
        else:
            from lacuna.collect.work.item_file import add_item_file

            added = add_item_file(opened.work, file)
    print_table(f"New items of {project}", ("task", "items"), added.items())
    notify(f"{sum(added.values()):,} items were added.", "Done")
