"""From settings to a running server."""

from __future__ import annotations

import asyncio
import errno
import logging.config
import socket
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import cast

import uvicorn
from fastapi import FastAPI

from lacuna.errors import LacunaError
from lacuna.models.registry import open_reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.dialog import DialogPipeline
from lacuna.pipeline.gapqa import FillsGaps, open_gapqa
from lacuna.pipeline.keeping_up.steady import SteadyPipeline
from lacuna.pipeline.open_corpus import open_store
from lacuna.pipeline.pipeline import Pipeline
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.server.access.access import Access
from lacuna.server.access.entrance import IN_ADDRESS
from lacuna.server.access.hosts import is_everywhere
from lacuna.server.app import make_app
from lacuna.server.connections.connection_room import ConnectionRoom
from lacuna.server.connections.quiet_logs import log_settings
from lacuna.server.connections.timed_protocol import TimedProtocol
from lacuna.server.corpus_opener import OpenStore
from lacuna.server.services import Services
from lacuna.server.stopping import GRACE, LAST_WORDS, StoppableServer

AT_ONCE = 128
"""Connections that may be waiting to be accepted."""
SHUTDOWN = round(GRACE + LAST_WORDS) + 2
"""Seconds after which uvicorn cuts off what has still not ended."""


def run_server(
    corpora: Sequence[Path],
    knowledge: Path | None,
    *,
    host: str,
    port: int,
    access: Access,
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
            access=access,
            workers=workers,
            watch=watch,
        )
        ready(_address(host, listening.getsockname()[1], access.token))
        logging.config.dictConfig(log_settings())
        bounded_server(app).run(sockets=[listening])


def bounded_server(app: FastAPI) -> StoppableServer:
    """A server of an app of ``make_app``, with limits on its connections."""
    services: Services = app.state.services
    room = ConnectionRoom(services.limits, _most_connections())
    # So many are accepted before the room has seen the first of them.
    at_once = max(1, min(AT_ONCE, room.most // 4))
    settings = uvicorn.Config(
        app,
        http=cast(type[asyncio.Protocol], partial(TimedProtocol, room)),
        ws="none",
        backlog=at_once,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN,
    )
    return StoppableServer(settings, services.stopping, room)


def _address(host: str, port: int, token: str | None) -> str:
    """The address to open, on this machine where the server listens on all of its addresses."""
    if is_everywhere(host):
        host = "::1" if ":" in host else "127.0.0.1"
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/" + (f"?{IN_ADDRESS}={token}" if token else "")


def _most_connections() -> int | None:
    """Half of the files that the process may open: corpora need some, too."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else max(1, soft // 2)


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
