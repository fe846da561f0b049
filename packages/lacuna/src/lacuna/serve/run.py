"""From settings to a running server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna.models.registry import open_reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.dialog.conversation import DialogPipeline
from lacuna.pipeline.gapqa import FillsGaps, open_gapqa
from lacuna.pipeline.open_corpus import SeveralModels, SteadyPipeline, names_of_models
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Answerer
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.serve.app import make_app
from lacuna.serve.corpora import MakeAnswerer, OpenStore
from lacuna.serve.questions import OpenGaps
from lacuna.serve.shared import open_shared_store
from lacuna.web.access import IN_ADDRESS, Access
from lacuna.web.listening import GRACE, LogForm, listen, run_app


def run_server(
    corpora: Sequence[Path],
    knowledge: Path | None,
    *,
    host: str,
    port: int,
    access: Access,
    models: Sequence[str],
    threads: int | None,
    workers: int,
    config: PipelineConfig,
    watch: bool = False,
    feedback: Path | None = None,
    keep_in: str | None = None,
    metrics_open: bool = False,
    drain_seconds: float = GRACE,
    log: LogForm = LogForm.PLAIN,
    open_store: OpenStore = open_store,
    ready: Callable[[str], None],
) -> None:
    """Serve until stopped; ``ready`` is called with the address when questions can be asked."""
    with (
        listen(host, port) as listening,  # first, so that a taken port is reported at once
        closing(open_shared_store(keep_in)) if keep_in else nullcontext() as shared,
    ):
        make_answerer, open_gaps = answering(models, knowledge, threads=threads, config=config)
        app = make_app(
            corpora,
            open_store,
            make_answerer,
            open_gaps,
            access=access,
            models=names_of_models(models),
            workers=workers,
            watch=watch,
            feedback=feedback,
            shared=shared,
            metrics_open=metrics_open,
            drain_seconds=drain_seconds,
        )
        token = f"?{IN_ADDRESS}={access.tokens[0]}" if access.tokens else ""
        run_app(listening, host, app, lambda address: ready(f"{address}{token}"), log)


def answering(
    models: Sequence[str],
    knowledge: Path | None = None,
    *,
    threads: int | None = None,
    config: PipelineConfig = PipelineConfig(),  # noqa: B008 - it is frozen
) -> tuple[MakeAnswerer, OpenGaps]:
    """What answers over a corpus, and what answers questions with choices.

    The models are loaded; the first answers what names none.
    """
    if knowledge is not None:
        KnowledgeBase.open(knowledge)  # so that an error comes now, not at the first question
    names = names_of_models(models)
    readers = [open_reader(model, threads=threads) for model in models]

    def make_answerer(store: Store) -> Answerer:
        pipelines = (Pipeline(store, reader, config=config) for reader in readers)
        answerers = [DialogPipeline(SteadyPipeline(pipeline)) for pipeline in pipelines]
        return SeveralModels(dict(zip(names, answerers, strict=True)))

    def open_gaps() -> FillsGaps:
        return open_gapqa(knowledge, threads=threads)

    return make_answerer, open_gaps
