"""Open a corpus for questions: the demo, an indexed one, or any folder of notes."""

from __future__ import annotations

from pathlib import Path

from lacuna.corpus.open import Progress, open_store
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline

__all__ = ["open_corpus", "open_store"]


def open_corpus(
    corpus: str | Path | None = None,
    *,
    model: str | Path = "small",
    threads: int | None = None,
    config: PipelineConfig = PipelineConfig(),  # noqa: B008 - it is frozen
    progress: Progress | None = None,
) -> Pipeline:
    """Something to ask: the demo corpus, a corpus of ``lacuna index``, or a folder or file.

    >>> import lacuna
    >>> islands = lacuna.open_corpus()  # doctest: +SKIP
    >>> islands.ask("How high is Carrow Fell?").answer.text  # doctest: +SKIP
    '684 metres'
    """
    store = open_store(corpus, progress=progress)
    return Pipeline(store, ModelReader.load(model, threads=threads), config=config)
