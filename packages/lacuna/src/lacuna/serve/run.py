"""From settings to a running server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna.models.registry import Reader, open_reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.dialog.conversation import DialogPipeline
from lacuna.pipeline.gapqa import FillsGaps, open_gapqa
from lacuna.pipeline.open_corpus import SeveralModels, SteadyPipeline, names_of_models
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Answerer
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.serve.app import make_app
from lacuna.serve.corpora import MakeAnswerer, OpenStore
from lacuna.serve.language_models import LanguageModels
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
        open_gaps = gaps_of(knowledge, threads)
        readers = open_readers(models, threads)
        app = make_app(
            corpora,
            open_store,
            answers_of(readers, config),
            open_gaps,
            access=access,
            models=readers.keys(),
            language_models=LanguageModels(readers),
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
    readers = open_readers(models, threads)
    return answers_of(readers, config), gaps_of(knowledge, threads)


def open_readers(models: Sequence[str], threads: int | None) -> dict[str, Reader]:
    """The readers of these models, by the names that people choose them by."""
    names = names_of_models(models)
    return {
        name: open_reader(model, threads=threads) for name, model in zip(names, models, strict=True)
    }


def answers_of(readers: Mapping[str, Reader], config: PipelineConfig) -> MakeAnswerer:
    """What answers over a corpus with each of these readers; more may be added to them later."""

    def make_answerer(store: Store) -> Answerer:
        def answers_with(name: str) -> Answerer:
            return DialogPipeline(SteadyPipeline(Pipeline(store, readers[name], config=config)))

        return SeveralModels({name: answers_with(name) for name in list(readers)}, answers_with)

    return make_answerer


def gaps_of(knowledge: Path | None, threads: int | None) -> OpenGaps:
    """What opens the model for questions with choices."""
    if knowledge is not None:
        KnowledgeBase.open(knowledge)  # so that an error comes now, not at the first question

    def open_gaps() -> FillsGaps:
        return open_gapqa(knowledge, threads=threads)

    return open_gaps
