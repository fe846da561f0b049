"""``lacuna serve``: the web page."""

from __future__ import annotations

from typing import Annotated

import typer

from lacuna.cli.options import Corpora, Knowledge, MinConfidence, Model, Threads, Watch
from lacuna.pipeline.config import MIN_CONFIDENCE


def serve(
    corpus: Corpora = None,
    knowledge: Knowledge = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8420,
    model: Model = "small",
    threads: Threads = None,
    workers: Annotated[
        int, typer.Option(min=1, max=8, help="Questions that are answered at the same time.")
    ] = 1,
    min_confidence: MinConfidence = MIN_CONFIDENCE,
    watch: Watch = False,
) -> None:
    """Ask in the browser: the page, and a JSON interface behind it (see /docs).

    Only this machine can reach it unless --host says otherwise. Ctrl+C ends it.
    """
    from lacuna.cli.console import notify
    from lacuna.cli.opening import open_with_bar
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.server.run import run_server
    from lacuna.server.security import is_loopback

    def ready(address: str) -> None:
        print(f"Lacuna answers at {address}", flush=True)
        if not is_loopback(host):
            notify("Anyone who can reach this machine can ask, and upload.")

    run_server(
        corpus or [],
        knowledge,
        host=host,
        port=port,
        model=model,
        threads=threads,
        workers=workers,
        config=PipelineConfig(min_confidence=min_confidence),
        watch=watch,
        open_store=open_with_bar,
        ready=ready,
    )
