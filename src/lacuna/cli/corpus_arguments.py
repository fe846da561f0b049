"""Arguments that the verbs about a corpus share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Corpus = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="A corpus made by `lacuna index`.", show_default=False),
]
Title = Annotated[
    str,
    typer.Argument(
        metavar="TITLE", help="A document's title, in any case or spelling.", show_default=False
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write there instead of printing."),
]
Seed = Annotated[int, typer.Option(help="The same seed gives the same result.")]
