"""``lacuna data fetch``: the official files, from where their authors publish them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lacuna.cli.options import DatasetName, Json


def fetch(
    dataset: DatasetName,
    only: Annotated[
        str | None, typer.Option(help="Fetch only files with this in their name, e.g. dev.")
    ] = None,
    list_only: Annotated[
        bool, typer.Option("--list", help="List what would be fetched, and fetch nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Download a dataset's official files into the cache; an interrupted download continues."""
    from lacuna.cli.console import bytes_bar, notify, print_json, print_table
    from lacuna.datasets import get_dataset
    from lacuna.datasets.fetch import fetch as fetch_file
    from lacuna.datasets.fetch import folder_of
    from lacuna.errors import LacunaError

    source = get_dataset(dataset)
    name, downloads, folder = source.name, source.downloads, folder_of(source.name)
    if downloads is None:
        raise LacunaError(f"Nobody publishes files of {name}, so there is nothing to fetch.")
    wanted = downloads.named(only)
    if not wanted:
        names = ", ".join(file.name for file in downloads.files)
        raise LacunaError(f"No file of {name} has {only!r} in its name. There are: {names}.")
    sizes = [file.size for file in wanted]
    known = sum(size or 0 for size in sizes) / 1e6
    more = " and files of unknown size" if None in sizes else ""
    notify(
        f"{name} is licensed under {downloads.licence} (see {downloads.home}). "
        f"{known:,.0f} MB{more} go to {folder}."
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
