"""Open a corpus for questions: the demo, an indexed one, or any folder of notes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lacuna.corpus.open import Progress, open_store
from lacuna.corpus.store import Store
from lacuna.models.protocol import Reader
from lacuna.models.registry import open_reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline
from lacuna.retrieve.protocol import Retriever

__all__ = ["open_corpus", "open_store"]

OpensRetriever = Callable[[Store], Retriever]
"""A retriever over a corpus: a retriever's class, most often."""


def open_corpus(
    corpus: str | Path | None = None,
    *,
    model: str | Path = "small",
    reader: Reader | None = None,
    retriever: OpensRetriever | None = None,
    config: PipelineConfig = PipelineConfig(),  # noqa: B008 - it is frozen
    threads: int | None = None,
    progress: Progress | None = None,
) -> Pipeline:
    """Something to ask: the demo corpus, a corpus of ``lacuna index``, or a folder or file.

    ``model`` names a reader: the shipped one, a folder, or that of another package (``llm:NAME``);
    ``reader`` is one that is open already. ``retriever`` makes one for the corpus, in the place of
    BM25.

    >>> import lacuna
    >>> islands = lacuna.open_corpus()
    >>> islands.ask("How high is Carrow Fell?").answer.text
    '684 metres'
    """
    store = open_store(corpus, progress=progress)
    return Pipeline(
        store,
        reader or open_reader(model, threads=threads),
        retriever=retriever(store) if retriever else None,
        config=config,
    )
