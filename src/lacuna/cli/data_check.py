"""``lacuna data check``: is the file sound, and what is in it?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from lacuna.cli.arguments import File, Json, SkipBad, Task


def check(task: Task, file: File, skip_bad: SkipBad = False, as_json: Json = False) -> None:
    """Read a dataset file whole, check every item and every offset, and count what is in it."""
    from lacuna.cli.console import print_json, print_table, report_bad_items, watched
    from lacuna.datasets import get_dataset
    from lacuna.datasets.summary import Summary
    from lacuna.metrics.metric import Floor

    dataset = get_dataset(task)
    summary = Summary(dataset)
    metric = dataset.metric()
    floor = Floor(metric)
    with dataset.open(file, skip_bad=skip_bad) as reader:
        items = watched(summary.counted(reader), reader.source, f"Checking {file.name}")
        blocks = (block for item in items for block in item.blocks)
        for group, block in enumerate(blocks):
            for question in block.questions:
                floor.add(question, group)
    report_bad_items(reader.bad)
    form = reader.form.name if reader.form else "empty"
    if as_json:
        print_json(
            {
                "task": task,
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
        print_table(f"{file.name} ({task}, {form})", ("what", "count"), rows)
    if reader.bad:
        raise typer.Exit(1)


def _rows(counts: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What was found, with the values of a label set in below its name."""
    for name, value in counts.items():
        words = name.replace("_", " ")
        if isinstance(value, dict) and value:
            yield words, ""
            for label, count in sorted(value.items(), key=lambda entry: -entry[1]):
                yield f"  {label}", count
        elif value:
            yield words, value
