"""From settings to a running server."""

from __future__ import annotations

import logging.config
from collections.abc import Callable, Sequence
from pathlib import Path

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
from lacuna.server.app import make_app
from lacuna.server.connections.listening import address_of, bounded_server, listen
from lacuna.server.connections.quiet_logs import log_settings
from lacuna.server.corpus_opener import OpenStore


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
    feedback: Path | None = None,
    open_store: OpenStore = open_store,
    ready: Callable[[str], None],
) -> None:
    """Serve until stopped; ``ready`` is called with the address when questions can be asked."""

    def open_gaps() -> FillsGaps:
        return open_gapqa(knowledge, threads=threads)

    with listen(host, port) as listening:  # first, so that a taken port is reported at once
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
            feedback=feedback,
        )
        address = address_of(host, listening.getsockname()[1])
        ready(f"{address}?{IN_ADDRESS}={access.tokens[0]}" if access.tokens else address)
        logging.config.dictConfig(log_settings())
        bounded_server(app).run(sockets=[listening])
