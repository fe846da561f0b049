"""`lacuna describe`: a dataset as its paper describes it, and sheets to label it by hand."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lacuna.cli.options import DatasetName, Json
from lacuna.cli.settings import run_settings

if TYPE_CHECKING:
    from lacuna.datasets.base import Dataset, Item
    from lacuna.errors import ItemError
    from lacuna_lab.describe.description import DescribedPart


SEED = 1
"""The same questions are drawn every time."""


def print_parts(head: dict[str, Any], parts: Iterable[DescribedPart], as_json: bool) -> None:
    """Print all parts; one that the files lack a field for says so, and shows the rest."""
    from lacuna.cli.console import print_json, print_table, say

    if as_json:
        print_json({**head, "parts": {part.name: part.as_json() for part in parts}})
        return
    for part in parts:
        if sys.stdout.isatty():
            table = part.shown_table()
            print_table(table.title, table.columns, table.rows)
            say("".join(f"{remark}\n" for remark in part.remarks()))
        else:
            say(f"{part.to_markdown()}\n")


def write_sample(
    source: Dataset,
    items: Iterable[Item],
    sheet: Path,
    size: int | None,
    predictions: Path | None,
    as_json: bool,
) -> None:
    """Write a sheet of random questions, or of wrong predictions, and say what to fill in."""
    from lacuna.cli.console import notify, print_json, print_table
    from lacuna.errors import LacunaError
    from lacuna_lab.describe.labelling import (
        answered_wrongly,
        prediction_for,
        refuse_existing,
        sample,
        task_for,
        write_sheet,
    )

    refuse_existing(sheet)
    task = task_for(source, predictions is not None)
    given = {} if predictions is None else source.read_predictions(predictions)
    if task.wrong_by is None:
        chosen = sample(items, task, size or task.size, SEED, lambda question: True)
    else:
        wrong = answered_wrongly(source, task.wrong_by, given)
        chosen = sample(items, task, size or task.size, SEED, wrong)
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
    from lacuna_lab.describe.labelling import FilledSheet, task_for

    task_for(source, of_errors=False)  # a dataset without categories is refused first
    filled = FilledSheet(sheet, source.labelling())
    if items is not None:
        filled.check_ids({question.id for item in items for question in item.questions})
    head = {"task": source.name, "sheet": str(sheet), "labelled": len(filled.ids)}
    print_parts(head, filled.parts(), as_json)


def describe(
    dataset: DatasetName,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE…",
            help="Files of the dataset, plain or gzipped; several are described together.",
            show_default=False,
        ),
    ] = None,
    figures: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Draw the figures there as well, as SVG and PNG."),
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV",
            help="Write a sheet of random questions to label with the paper's categories, and "
            "describe nothing.",
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="How many questions the sheet has; without it as many as the paper labelled.",
            show_default=False,
        ),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(
            metavar="PRED",
            help="Predictions for the files: the sheet has wrong ones, and the paper's classes of "
            "errors.",
        ),
    ] = None,
    labelled: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV",
            help="Print the paper's table from a sheet that was filled; files are then only looked "
            "at for its questions, and may be left out.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print a paper's tables for your files.

    They are the tables of the dataset's paper; its own numbers stand beside yours.
    """
    from lacuna.cli.console import report_bad_items
    from lacuna.cli.options import check_outputs
    from lacuna.datasets import get_dataset
    from lacuna.errors import LacunaError

    source = get_dataset(dataset)
    reading = FilesToDescribe(source, files or [], run_settings().skip_bad)
    if labelled is not None:
        if sheet is not None or figures is not None or predictions is not None:
            raise LacunaError("--labelled goes alone: leave --sheet, --figures and --predictions.")
        print_labelled(source, labelled, reading if files else None, as_json)
    elif not files:
        raise LacunaError("Give at least one FILE to describe.")
    elif sheet is not None:
        if figures is not None:
            raise LacunaError("--sheet and --figures do not go together: give one of them.")
        check_outputs([sheet], reads=[*files, predictions])
        write_sample(source, reading, sheet, sample, predictions, as_json)
    elif sample is not None or predictions is not None:
        raise LacunaError("--sample and --predictions are for a sheet: say where with --sheet CSV.")
    else:
        _describe(source, reading, figures, as_json)
    report_bad_items(reading.bad)
    if reading.bad:
        raise typer.Exit(1)


class FilesToDescribe:
    """The items of several files, one after the other; what was left out is in ``bad``."""

    def __init__(self, dataset: Dataset, files: Sequence[Path], skip_bad: bool) -> None:
        from lacuna.errors import LacunaError

        self.files = files
        self.bad: list[ItemError] = []
        self.questions = 0
        self._dataset, self._skip_bad = dataset, skip_bad
        seen = [file.resolve() for file in files]
        twice = [file for file in files if seen.count(file.resolve()) > 1]
        if twice:
            raise LacunaError(f"{twice[0]} is given twice. Give every file once.")

    def __iter__(self) -> Iterator[Item]:
        from lacuna.cli.console import with_progress
        from lacuna.errors import LacunaError

        for file in self.files:
            with self._dataset.open(file, skip_bad=self._skip_bad) as reader:
                for item in with_progress(reader, reader.source, f"Reading {file.name}"):
                    self.questions += sum(len(block.questions) for block in item.blocks)
                    yield item
            self.bad += reader.bad
        if not self.questions:
            names = ", ".join(map(str, self.files))
            raise LacunaError(
                f"There is no question of {self._dataset.name} in {names}. Give another file."
            )


def _describe(
    source: Dataset, reading: FilesToDescribe, figures: Path | None, as_json: bool
) -> None:
    from lacuna.cli.console import notify
    from lacuna.cli.options import check_outputs
    from lacuna_lab.figures.draw import save_figure
    from lacuna_lab.figures.shapes import need_matplotlib

    if figures is not None:
        need_matplotlib()
        check_outputs([figures / f"{source.name}.svg"], reads=reading.files)
    description = source.description()
    for item in reading:
        description.add(item)
    parts = list(description.parts())
    files = [str(file) for file in reading.files]
    print_parts({"task": source.name, "files": files}, parts, as_json)
    if figures is not None:
        drawn = [(part.name, part.chart) for part in parts if part.chart is not None]
        for name, chart in drawn:
            save_figure(chart, figures, f"{source.name}-{name.replace('_', '-')}")
        notify(f"{len(drawn)} figures drawn in {figures}, each as SVG and PNG.", "Done")
