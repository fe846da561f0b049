"""From settings to a server that runs: over standard input and output, or over HTTP."""

from __future__ import annotations

import logging.config
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

import anyio
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from lacuna.agents.calls import ToolCalls
from lacuna.agents.http_app import make_http_app
from lacuna.agents.library import Library
from lacuna.agents.opening import LibraryOpening
from lacuna.agents.protocol import make_server
from lacuna.agents.stdin_lines import StdinLines
from lacuna.corpus.open import Progress, open_store
from lacuna.corpus.source_rows import root_of
from lacuna.corpus.store import Store
from lacuna.models.registry import open_reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.keeping_up.steady import SteadyPipeline
from lacuna.pipeline.keeping_up.watch import Watcher
from lacuna.pipeline.pipeline import Pipeline
from lacuna.server.access.access import Access
from lacuna.server.connections.listening import address_of, bounded_server, listen
from lacuna.server.connections.quiet_logs import log_settings
from lacuna.server.limits import Limits
from lacuna.server.problem_pages import AGENTS

INTERRUPTED = 130
FAILS_FIRST = 2.0
"""Seconds in which a corpus that cannot be opened ends the server, before it speaks."""


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """Which documents agents may read, and how their questions are answered."""

    corpora: Sequence[Path]
    model: str
    threads: int | None
    workers: int
    config: PipelineConfig
    watch: bool

    @property
    def corpus_name(self) -> str:
        """What a model is told of where the documents come from."""
        names = [Path(os.fsdecode(root_of(corpus))).name or str(corpus) for corpus in self.corpora]
        return " and ".join(names) or "the demo corpus, about made-up islands"

    def library(self, store: Store, *, local: bool) -> Library:
        """The library over an open store."""
        reader = open_reader(self.model, threads=self.threads)
        return Library(SteadyPipeline(Pipeline(store, reader, config=self.config)), local)

    def watching(self, opening: LibraryOpening) -> AbstractContextManager[object]:
        """Reads changed files again from now on, where that is wanted."""

        def stores() -> Iterable[Store]:
            library = opening.library
            return [library.store] if library else []

        if not self.watch:
            return nullcontext()
        return Watcher(stores, on_problem=logging.getLogger(__name__).warning)


def run_stdio(settings: AgentSettings) -> NoReturn:
    """Serve the one client at standard input and output, until it closes them; then exit.

    The process ends without waiting for its threads: one may be reading documents or a question in
    compiled code, which Python cannot end, and aborts over.
    """

    def open_library(progress: Progress) -> Library:
        return settings.library(open_store(settings.corpora, progress=progress), local=True)

    opening = LibraryOpening(open_library)
    code: int | str | None = 0
    try:
        opening.raise_failure(within=FAILS_FIRST)
        _speak(settings, opening)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SystemExit as stop:
        code = stop.code
    opening.raise_failure(within=0)
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


def _speak(settings: AgentSettings, opening: LibraryOpening) -> None:
    logging.config.dictConfig(log_settings())
    calls = ToolCalls(opening, settings.workers, Limits())
    server = make_server(calls, settings.corpus_name)
    with settings.watching(opening):
        try:
            anyio.run(_serve_stdio, server)
        except* BrokenPipeError:
            pass  # the client went away in the middle of an answer


async def _serve_stdio(server: Server[Any]) -> None:
    lines = cast(anyio.AsyncFile[str], StdinLines())  # all that is done with it is to iterate
    async with stdio_server(stdin=lines) as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def run_http(
    settings: AgentSettings,
    *,
    host: str,
    port: int,
    access: Access,
    open_store: Callable[[Sequence[Path]], Store],
    ready: Callable[[str], None],
) -> None:
    """Serve until stopped; ``ready`` is called with the address when clients can connect."""
    limits = Limits()
    with listen(host, port, "--http") as listening:  # a taken port is reported at once
        store = open_store(settings.corpora)
        opening = LibraryOpening.done(settings.library(store, local=access.local))
        calls = ToolCalls(opening, settings.workers, limits)
        app = make_http_app(make_server(calls, settings.corpus_name), calls, access, limits)
        ready(address_of(host, listening.getsockname()[1]).rstrip("/") + AGENTS)
        logging.config.dictConfig(log_settings())
        with settings.watching(opening):
            bounded_server(app).run(sockets=[listening])
