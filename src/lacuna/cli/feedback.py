"""``lacuna data feedback``: what people said of answers, from where servers share it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def feedback(
    keep_in: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Where `lacuna serve --keep-in` keeps it.",
            envvar="LACUNA_KEEP_IN",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write it.")
    ],
) -> None:
    """Write the feedback that servers have kept, as questions for testing: a line for each answer,
    as `lacuna serve --feedback` has them."""
    from lacuna.cli.console import notify
    from lacuna.cli.outputs import check_outputs
    from lacuna.files.writing import replace_text
    from lacuna.server.keeping.open_shared import open_shared_store

    check_outputs([output])
    store = open_shared_store(keep_in)
    lines = list(store.feedback())
    store.close()
    with replace_text(output) as out:
        out.writelines(f"{line}\n" for line in lines)
    output.chmod(0o600)  # it says who asked what
    notify(f"Feedback on {len(lines):,} answers written to {output}.", "Done")
