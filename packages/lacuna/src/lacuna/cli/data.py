"""`lacuna data`: dataset files, before anything is asked, and what people said of answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from lacuna.cli.options import DatasetName, File, Json
from lacuna.cli.settings import run_settings


def check(dataset: DatasetName, file: File, as_json: Json = False) -> None:
    """Read a dataset file whole, check every item and every offset, and count what is in it."""
    from lacuna.cli.console import print_json, print_table, report_bad_items, with_progress
    from lacuna.datasets import get_dataset
    from lacuna.datasets.convert import Summary
    from lacuna.metrics.metric import Floor

    source = get_dataset(dataset)
    summary = Summary(source)
    metric = source.metric()
    floor = Floor(metric)
    with source.open(file, skip_bad=run_settings().skip_bad) as reader:
        items = with_progress(summary.counted(reader), reader.source, f"Checking {file.name}")
        blocks = (block for item in items for block in item.blocks)
        for group, block in enumerate(blocks):
            for question in block.questions:
                floor.add(question, group)
    report_bad_items(reader.bad)
    form = reader.form.name if reader.form else "empty"
    if as_json:
        print_json(
            {
                "task": dataset,
                "file": str(file),
                "form": form,
                "broken_items": len(reader.bad),
                **summary.as_json(),
                "always_abstain_floor": floor.means(),
            }
        )
    else:
        rows = list(_rows(summary.as_json()))
        if means := floor.means():
            rows.append(("always-abstain floor, %", ""))
            for name in metric.main:
                value = means[name]
                rows.append((f"  {name}", None if value is None else 100 * value / metric.scale))
        print_table(f"{file.name} ({dataset}, {form})", ("what", "count"), rows)
    if reader.bad:
        raise typer.Exit(1)


def _rows(counts: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The counts, with the values of a label indented below its name."""
    for name, value in counts.items():
        words = name.replace("_", " ")
        if isinstance(value, dict) and value:
            yield words, ""
            for label, count in sorted(value.items(), key=lambda entry: -entry[1]):
                yield f"  {label}", count
        elif value:
            yield words, value


def convert(
    dataset: DatasetName,
    file: File,
    to: Annotated[str, typer.Option("--to", metavar="DATASET", help="The format to write.")],
    output: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")],
) -> None:
    """Write a dataset file in another dataset's format, where the answers mean the same."""
    from lacuna.cli.console import notify, report_bad_items, with_progress
    from lacuna.cli.options import check_outputs
    from lacuna.datasets import get_dataset
    from lacuna.datasets.convert import Summary, conversion

    source, target = get_dataset(dataset), get_dataset(to)
    convert_item = conversion(dataset, to)
    check_outputs([output], reads=[file])
    summary = Summary(target)
    with source.open(file, skip_bad=run_settings().skip_bad) as reader:
        items = with_progress(reader, reader.source, f"Converting {file.name}")
        converted = summary.counted(new for item in items for new in convert_item(item))
        target.write(output, converted, header=target.header)
    report_bad_items(reader.bad)
    notify(f"{summary.questions:,} questions written to {output}.", "Done")
    if reader.bad:
        raise typer.Exit(1)


def fetch(
    dataset: DatasetName,
    only: Annotated[
        str | None, typer.Option(help="Fetch only files with this in their name, e.g. dev.")
    ] = None,
    list_only: Annotated[
        bool, typer.Option("--list", help="List what would be fetched, and fetch nothing.")
    ] = False,
) -> None:
    """Download a dataset's official files into the cache; an interrupted download continues."""
    from lacuna.cli.console import bytes_bar, notify, print_table
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
    print_table(f"{name}", ("file", ""), rows)


def feedback(
    output: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")],
) -> None:
    """Write the feedback that servers share (LACUNA_KEEP_IN), as questions for testing.

    There is a line for each answer, as `lacuna serve --feedback` has them.
    """
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_outputs
    from lacuna.cli.settings import server_settings
    from lacuna.errors import LacunaError
    from lacuna.files.writing import replace_text
    from lacuna.serve.shared import open_shared_store

    keep_in = server_settings().keep_in
    if keep_in is None:
        raise LacunaError(
            "LACUNA_KEEP_IN is not set. Give it the address that the servers have: "
            "postgresql://user:password@host/name or redis://host:6379/0."
        )
    check_outputs([output])
    store = open_shared_store(keep_in)
    lines = list(store.feedback())
    store.close()
    with replace_text(output) as out:
        out.writelines(f"{line}\n" for line in lines)
    output.chmod(0o600)  # it says who asked what
    notify(f"Feedback on {len(lines):,} answers written to {output}.", "Done")
