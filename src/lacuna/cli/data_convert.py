"""``lacuna data convert``: one dataset's file in another's format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.arguments import File, Json, SkipBad, Task


def convert(
    task: Task,
    file: File,
    to: Annotated[str, typer.Option("--to", metavar="TASK", help="The format to write.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write it.")
    ],
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Write a dataset file in another dataset's format, where the answers mean the same."""
    from lacuna.cli.console import complain, print_json, report_bad_items, watched
    from lacuna.datasets import get_dataset
    from lacuna.datasets.convert import conversion
    from lacuna.datasets.summary import Summary

    source, target = get_dataset(task), get_dataset(to)
    convert_item = conversion(task, to)
    summary = Summary(target)
    with source.open(file, skip_bad=skip_bad) as reader:
        items = watched(reader, reader.source, f"Converting {file.name}")
        made = summary.counted(new for item in items for new in convert_item(item))
        target.write(output, made, header=target.header)
    report_bad_items(reader.bad)
    counts = {"questions": summary.questions, "items": summary.items, "output": str(output)}
    if as_json:
        print_json({**counts, "broken_items": len(reader.bad)})
    else:
        complain(f"{summary.questions:,} questions written to {output}.", "Done")
    if reader.bad:
        raise typer.Exit(1)
