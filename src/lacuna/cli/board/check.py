"""``lacuna board export|verify``: the board as files, and whether they hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.board.make import BoardFolder


def export(
    board: BoardFolder,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="A new folder.", show_default=False),
    ],
) -> None:
    """Write the whole board as files that anyone can check; nothing hidden is among them."""
    from lacuna.board.board import Board
    from lacuna.board.export import export_board
    from lacuna.cli.console import notify
    from lacuna.cli.outputs import check_output_folder

    check_output_folder(out, reads=[board])
    entries = export_board(Board.open(board), out)
    notify(f"{entries:,} entries are in {out}. Check it: lacuna board verify {out}", "Done")


def verify(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="What `export` wrote.", show_default=False),
    ],
    board: Annotated[
        Path | None,
        typer.Option(
            metavar="BOARD",
            help="The board itself, for its owner: every entry is scored again.",
            show_default=False,
        ),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(
            metavar="SUM",
            help="The sum of a record that was noted earlier, which the log must still have.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check an exported board: its files, its log, its entries, and that scores add up."""
    from lacuna.board.board import Board
    from lacuna.board.rescoring import rescore_export
    from lacuna.board.verify import verify_export
    from lacuna.cli.console import notify, print_table
    from lacuna.errors import LacunaError

    found = verify_export(folder, head=head)
    if board is not None:
        rescore_export(folder, Board.open(board), found)
    print_table("Checked", ("what", "how many"), found.checked.items())
    if found.wrong:
        raise LacunaError(
            f"{folder} does not hold: {'; '.join(found.wrong)}. Get it anew from whoever runs the "
            "board."
        )
    notify("All of it holds.", "Done")
