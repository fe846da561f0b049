"""``lacuna board serve``: the board in the browser."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from lacuna.cli.board.make import BoardFolder


def serve(
    board: BoardFolder,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8440,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name that the server is reached under, such as board.example.org; can be given "
            "several times. Its addresses in numbers, and localhost, need no option.",
            show_default=False,
        ),
    ] = None,
    https: Annotated[
        bool,
        typer.Option(
            "--https",
            help="People reach it under https, by a proxy before it: cookies are for https alone.",
        ),
    ] = False,
) -> None:
    """Show a board, take predictions and score them.

    Everybody who reaches it may look; sending takes a team's key, which `lacuna board team` makes.
    Ctrl+C ends it, and nothing is lost: what was queued is scored when it runs again.
    """
    from lacuna.board.board import Board
    from lacuna.board.web.run import run_board_server
    from lacuna.cli.console import notify, say
    from lacuna.server.access.hosts import AllowedHosts, is_loopback

    def ready(address: str) -> None:
        say(f"The board is at {address}")
        sys.stdout.flush()  # whoever started it may wait for this line
        if not is_loopback(host) and not https:
            notify("Teams' keys are sent unencrypted. Put TLS before it, and give --https.")

    run_board_server(
        Board.open(board),
        host=host,
        port=port,
        hosts=AllowedHosts.of(host, allow_host or []),
        secure=https,
        ready=ready,
    )
