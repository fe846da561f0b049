"""``lacuna corpus copy``: a corpus from a folder to an address, or back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def copy(
    source: Annotated[
        Path, typer.Argument(metavar="FROM", help="A corpus: a folder or an address.")
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TO", help="A new folder, or a new address: s3://, gs://, az://, file://."
        ),
    ],
) -> None:
    """Copy a corpus to another place, with all that it holds; both can be asked then."""
    from lacuna.cli.console import notify
    from lacuna.cli.outputs import check_output_folder
    from lacuna.corpus.address import place_text
    from lacuna.corpus.copying import copy_corpus

    check_output_folder(target, reads=[source])
    count = copy_corpus(source, target)
    notify(f"{count:,} documents copied to {place_text(target)}.", "Done")
