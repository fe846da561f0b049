"""From settings to a running server."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn

from lacuna.errors import LacunaError
from lacuna.models.registry import open_reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.dialog import DialogPipeline
from lacuna.pipeline.gapqa import FillsGaps, open_gapqa
from lacuna.pipeline.keeping_up.steady import SteadyPipeline
from lacuna.pipeline.open_corpus import open_store
from lacuna.pipeline.pipeline import Pipeline
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.server.app import make_app
from lacuna.server.corpus_opener import OpenStore
from lacuna.server.security import is_loopback

SHUTDOWN = 5
"""Seconds that open connections get when the server ends."""


def run_server(
    corpora: Sequence[Path],
    knowledge: Path | None,
    *,
    host: str,
    port: int,
    model: str,
    threads: int | None,
    workers: int,
    config: PipelineConfig,
    watch: bool = False,
    open_store: OpenStore = open_store,
    ready: Callable[[str], None],
) -> None:
    """Serve until stopped; ``ready`` is called with the address when questions can be asked."""

    def open_gaps() -> FillsGaps:
        return open_gapqa(knowledge, threads=threads)

    with _listen(host, port) as listening:  # first, so that a taken port is reported at once
        if knowledge is not None:
            KnowledgeBase.open(knowledge)  # so that an error comes now, not at the first question
        reader = open_reader(model, threads=threads)
        app = make_app(
            corpora,
            open_store,
            lambda store: DialogPipeline(SteadyPipeline(Pipeline(store, reader, config=config))),
            open_gaps,
            loopback_only=is_loopback(host),
            workers=workers,
            watch=watch,
        )
        name = f"[{host}]" if ":" in host else host
        ready(f"http://{name}:{listening.getsockname()[1]}/")
        settings = uvicorn.Config(
            app, log_level="warning", server_header=False, timeout_graceful_shutdown=SHUTDOWN
        )
        uvicorn.Server(settings).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=256)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise LacunaError(
                f"Port {port} is taken by another program, or by another `lacuna serve`. Choose "
                "another with --port; --port 0 takes any that is free."
            ) from error
        raise LacunaError(
            f"The server cannot listen on {host}:{port}: {error.strerror or error}. Choose "
            "another --host or --port."
        ) from error
