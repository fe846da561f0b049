"""Arguments and options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.datasets import DATASETS, dataset_names

Task = Annotated[
    str,
    typer.Argument(
        metavar="TASK",
        help=f"One of {', '.join(DATASETS)}.",
        autocompletion=lambda: list(dataset_names()),
        show_default=False,
    ),
]
File = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file, plain or gzipped.", show_default=False)
]
SkipBad = Annotated[
    bool,
    typer.Option("--skip-bad", help="Leave broken items out, report them, and exit with 1."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
