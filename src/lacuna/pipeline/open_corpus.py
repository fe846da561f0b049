"""Open a corpus for questions: the demo, an indexed one, or any folder of notes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lacuna.assets import demo
from lacuna.corpus import database
from lacuna.corpus.cached_corpus import Progress, cached_store
from lacuna.corpus.source_key import source_key
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.files.opening import similar
from lacuna.models.protocol import Reader
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline
from lacuna.retrieve.protocol import Retriever

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

    ``reader`` takes the place of the shipped ``model``; ``retriever`` makes one for the corpus, in
    the place of BM25.

    >>> import lacuna
    >>> islands = lacuna.open_corpus()
    >>> islands.ask("How high is Carrow Fell?").answer.text
    '684 metres'
    """
    store = open_store(corpus, progress=progress)
    return Pipeline(
        store,
        reader or ModelReader.load(model, threads=threads),
        retriever=retriever(store) if retriever else None,
        config=config,
    )


def open_store(corpus: str | Path | None = None, *, progress: Progress | None = None) -> Store:
    """The documents alone, without a model.

    A plain folder is indexed once, into the cache folder, and again when it has changed.
    ``progress`` is told how many files are read by then, and of how many.
    """
    if corpus is None:
        return cached_store(demo.ARTICLES, demo.digest(), progress=progress)
    path = Path(corpus)
    if not path.exists():
        raise LacunaError(f"There is no file or folder {path}.{similar(path)}")
    if (path / database.FILE).is_file():
        store = Store.open(path)
        hint = f"Add some to it: lacuna index SOURCE --out {path}"
    else:
        store = cached_store(path, source_key(path), progress=progress)
        why = next(store.skipped(), None)
        hint = f"{why.where}, for one, was passed over: {why.reason}." if why else "It is empty."
    if not len(store):
        store.close()
        raise LacunaError(f"{path} has no document that could be asked. {hint}")
    return store
