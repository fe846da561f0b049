"""``lacuna serve``: the web page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus",
            metavar="DIR",
            help="A folder of notes, or a corpus made by `lacuna index`. Default: the demo.",
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8420,
    model: Annotated[str, typer.Option(help="A shipped model, or a model's folder.")] = "small",
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads of the model. Default: all cores.")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, max=8, help="Questions that are answered at the same time.")
    ] = 1,
) -> None:
    """Ask in the browser: the page, and a JSON interface behind it (see /docs).

    Only this machine can reach it unless --host says otherwise. Ctrl+C ends it.
    """
    from lacuna.cli.console import complain
    from lacuna.web.security import is_loopback
    from lacuna.web.serving import run_server

    def ready(address: str) -> None:
        print(f"Lacuna answers at {address}", flush=True)
        if not is_loopback(host):
            complain("Anyone who can reach this machine can ask, and upload.", "Note")

    run_server(
        corpus,
        host=host,
        port=port,
        model=model,
        threads=threads,
        workers=workers,
        ready=ready,
    )
