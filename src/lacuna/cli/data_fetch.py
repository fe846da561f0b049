"""``lacuna data fetch``: the official files, from where their authors publish them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lacuna.cli.arguments import Json, Task


def fetch(
    task: Task,
    only: Annotated[
        str | None, typer.Option(help="Fetch only files with this in their name, e.g. dev.")
    ] = None,
    list_only: Annotated[
        bool, typer.Option("--list", help="Say what would be fetched, and fetch nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Download a dataset's official files into the cache; an interrupted run goes on."""
    from lacuna.cli.console import bytes_bar, complain, print_json, print_table
    from lacuna.datasets import get_dataset
    from lacuna.datasets.fetch import fetch as fetch_file
    from lacuna.datasets.fetch import folder_of
    from lacuna.errors import LacunaError

    dataset = get_dataset(task)
    name, downloads, folder = dataset.name, dataset.downloads, folder_of(dataset.name)
    if downloads is None:
        raise LacunaError(f"Nobody publishes files of {name}, so there is nothing to fetch.")
    wanted = downloads.named(only)
    if not wanted:
        names = ", ".join(file.name for file in downloads.files)
        raise LacunaError(f"No file of {name} has {only!r} in its name. There are: {names}.")
    sizes = [file.size for file in wanted]
    known = sum(size or 0 for size in sizes) / 1e6
    more = " and files of unknown size" if None in sizes else ""
    complain(
        f"{name} is licensed under {downloads.licence} (see {downloads.home}). "
        f"{known:,.0f} MB{more} go to {folder}.",
        "Note",
    )
    rows: list[tuple[str, Any]] = []
    for file in wanted:
        if not list_only:
            with bytes_bar(file.name) as progress:
                fetch_file(file, folder, progress)
        rows += [
            (str(path), "there" if path.exists() else "not yet") for path in file.paths(folder)
        ]
    if as_json:
        print_json({"task": name, "licence": downloads.licence, "files": dict(rows)})
    else:
        print_table(f"{name}", ("file", ""), rows)
