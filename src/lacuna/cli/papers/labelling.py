"""What ``lacuna describe`` does with labelling sheets."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lacuna.datasets.base import Dataset
    from lacuna.datasets.item import Item


def write_sample(
    source: Dataset,
    items: Iterable[Item],
    sheet: Path,
    size: int | None,
    predictions: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Write a sheet of random questions, or of wrong predictions, and say what to fill in."""
    from lacuna.cli.console import notify, print_json, print_table
    from lacuna.datasets.describing.sampling import (
        answered_wrongly,
        prediction_for,
        sample,
        task_for,
    )
    from lacuna.datasets.describing.sheet import refuse_existing, write_sheet
    from lacuna.errors import LacunaError

    refuse_existing(sheet)
    task = task_for(source, predictions is not None)
    given = {} if predictions is None else source.read_predictions(predictions)
    if task.wrong_by is None:
        chosen = sample(items, task, size or task.size, seed, lambda question: True)
    else:
        wrong = answered_wrongly(source, task.wrong_by, given)
        chosen = sample(items, task, size or task.size, seed, wrong)
    if not chosen:
        raise LacunaError(f"No prediction of {predictions} is wrong for a question of the files.")
    own = {question.id: prediction_for(source, question, given) for question in chosen}
    write_sheet(sheet, task, chosen, {id_: said for id_, said in own.items() if said is not None})
    if as_json:
        columns = {name: list(labels) for name, labels in task.columns().items()}
        print_json({"task": source.name, "sheet": str(sheet), "rows": len(chosen), "fill": columns})
        return
    for table in task.tables:
        column = "columns for yes or no" if table.several else f"labels of {table.column!r}"
        rows = [(f"{category.name}: {category.about}",) for category in table.categories]
        print_table(table.title, (column,), rows)
    notify(
        f"{len(chosen):,} rows written to {sheet}. Fill the last columns, then run: lacuna "
        f"describe {source.name} --labelled {sheet}",
        "Done",
    )


def print_labelled(
    source: Dataset, sheet: Path, items: Iterable[Item] | None, as_json: bool
) -> None:
    """Print the paper's tables from a filled sheet."""
    from lacuna.cli.papers.printing import print_parts
    from lacuna.datasets.describing.labelled import FilledSheet
    from lacuna.datasets.describing.sampling import task_for

    task_for(source, of_errors=False)  # a dataset without categories is refused first
    filled = FilledSheet(sheet, source.labelling())
    if items is not None:
        filled.check_ids({question.id for item in items for question in item.questions})
    head = {"task": source.name, "sheet": str(sheet), "labelled": len(filled.ids)}
    print_parts(head, filled.parts(), as_json)
