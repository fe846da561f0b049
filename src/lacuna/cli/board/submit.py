"""``lacuna board submit``: predictions to a board that runs somewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import Json


def submit(
    address: Annotated[
        str,
        typer.Argument(metavar="ADDRESS", help="Where the board is.", show_default=False),
    ],
    predictions: Annotated[
        Path,
        typer.Argument(
            metavar="PRED", help="Predictions in the official format.", show_default=False
        ),
    ],
    table: Annotated[str, typer.Option(metavar="KEY", help="As in the table's address.")],
    name: Annotated[str, typer.Option(help="The name of the system.")],
    key_file: Annotated[
        Path, typer.Option(metavar="FILE", help="A file that holds your team's key.")
    ],
    description: Annotated[str, typer.Option(help="How it answers, in a few sentences.")] = "",
    code: Annotated[str, typer.Option(metavar="URL", help="Where its code is.")] = "",
    parameters: Annotated[str, typer.Option(help="Size, hyperparameters, training data.")] = "",
    private: Annotated[
        bool, typer.Option("--private", help="Only your team sees it until you show it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Send predictions, wait until they are scored, and print the scores."""
    from lacuna.board.sending import Sending
    from lacuna.cli.console import notify, print_json, print_table

    about = {
        "table": table,
        "name": name,
        "description": description,
        "code": code,
        "parameters": parameters,
        "shown": "private" if private else "public",
    }
    outcome = Sending(address, key_file).submit(predictions, about)
    if as_json:
        print_json(outcome)
        return
    scored = outcome["scores"]
    rows = [
        (measure, value, bounds and f"{bounds[0]:.4f} – {bounds[1]:.4f}")
        for measure, value in scored["scores"].items()
        for bounds in [scored["intervals"][measure]]
        if value is not None
    ]
    shown = [(measure, f"{value:.4f}", bounds) for measure, value, bounds in rows]
    title = f"{scored['questions']:,} questions, official scores"
    print_table(title, ("measure", "score", "95% interval"), shown)
    for note in scored["notes"]:
        notify(note)
    notify(f"It is submission {outcome['submission']}.", "Done")
