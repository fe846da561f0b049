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
    from lacuna.datasets.fetch import fetch_source, files_of, folder_of, wanted
    from lacuna.datasets.sources import SOURCES
    from lacuna.errors import LacunaError

    name = get_dataset(dataset).name
    collection, sources = SOURCES[name], wanted(name, only)
    if not sources:
        names = ", ".join(source.name for source in collection.sources)
        raise LacunaError(f"No file of {name} has {only!r} in its name. There are: {names}.")
    sizes = [source.size for source in sources]
    known = sum(size or 0 for size in sizes) / 1e6
    more = " and files of unknown size" if None in sizes else ""
    notify(
        f"{name} is licensed under {collection.licence} (see {collection.home}). "
        f"{known:,.0f} MB{more} go to {folder_of(name)}."
    )
    rows: list[tuple[str, Any]] = []
    for source in sources:
        if not list_only:
            with bytes_bar(source.name) as progress:
                fetch_source(name, source, progress)
        rows += [
            (str(file), "there" if file.exists() else "not yet") for file in files_of(name, source)
        ]
    if as_json:
        print_json({"task": name, "licence": collection.licence, "files": dict(rows)})
    else:
        print_table(f"{name}", ("file", ""), rows)
