"""Open a corpus for questions, and keep answers current while its files change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lacuna.corpus.open import Corpora, Progress, open_store
from lacuna.corpus.refresh import refresh_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError, shown
from lacuna.files.cache import StoreBusyError
from lacuna.models.registry import Reader, open_reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Answerer, Query
from lacuna.pipeline.result import OnStep, Result
from lacuna.retrieve.registry import Retriever, open_retriever

if TYPE_CHECKING:
    from lacuna.pipeline.dialog.conversation import DialogAnswerer


class SeveralModels:
    """Answers with the model that a question names, or else with the first.

    ``answers_with`` makes what answers with a model that was added since.
    """

    def __init__(
        self,
        answerers: Mapping[str, Answerer],
        answers_with: Callable[[str], Answerer] | None = None,
    ) -> None:
        self._answerers = dict(answerers)
        self._answers_with = answers_with
        self._first = next(iter(answerers.values()))

    @property
    def store(self) -> Store:
        """The corpus, which all of them share."""
        return self._first.store

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` gets each step when it is done."""
        name = query.model
        if name is None:
            return self._first.ask(query, on_step=on_step)
        if name not in self._answerers and self._answers_with is not None:
            self._answerers[name] = self._answers_with(name)  # twice at once does no harm
        return self._answerers[name].ask(query, on_step=on_step)


def names_of_models(models: Sequence[str]) -> list[str]:
    """What people choose them by; of a folder its name alone, which tells nobody where it lies.

    >>> names_of_models(["small", "./runs/our-own", "llm:qwen"])
    ['small', 'our-own', 'llm:qwen']
    """
    names = [Path(model).name if model.startswith((".", "~", "/")) else model for model in models]
    if len(set(names)) < len(names):
        raise LacunaError(
            f"Two of these models have the same name: {', '.join(names)}. Give each once, from "
            "folders with different names."
        )
    return names


def check_model(model: str | None, models: Collection[str]) -> None:
    """Raise if a question names a model that is not there."""
    if model is not None and model not in models:
        there = ", ".join(models) or "one that has no name"
        raise LacunaError(f"There is no model {shown(model)} here. There is: {there}.")


class SteadyPipeline:
    """A pipeline that asks once more where the corpus changed meanwhile.

    A question goes from passages to documents and back to their sentences; if a document changed in
    between, offsets would no longer fit, or it would be gone.
    """

    def __init__(self, pipeline: DialogAnswerer) -> None:
        self._pipeline = pipeline

    @property
    def store(self) -> Store:
        """The corpus."""
        return self._pipeline.store

    @property
    def reader(self) -> Reader:
        """The reader."""
        return self._pipeline.reader

    @property
    def config(self) -> PipelineConfig:
        """The numbers that it goes by."""
        return self._pipeline.config

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer, from one state of the corpus."""
        before = self.store.generation
        try:
            result = self._pipeline.ask(query, on_step=on_step)
        except Exception:
            if self.store.generation == before:
                raise
        else:
            if self.store.generation == before:
                return result
        return self._pipeline.ask(query, on_step=on_step)


SECONDS = 2.0
"""Between two looks; one is cheap, since only files that changed are read."""


class Watcher:
    """Refreshes stores in a thread of its own, from entering the ``with`` block to leaving it.

    ``stores`` is called for each look. ``on_change`` gets a store that changed, ``on_problem`` why
    one could not be refreshed: once, until the reason is another. Whoever reads a store meanwhile
    sees the old state or the new one, by its generation.
    """

    def __init__(
        self,
        stores: Callable[[], Iterable[Store]],
        *,
        on_problem: Callable[[str], None],
        on_change: Callable[[Store], None] = lambda _: None,
        seconds: float | None = None,
    ) -> None:
        self._stores = stores
        self._on_problem = on_problem
        self._on_change = on_change
        self._seconds = SECONDS if seconds is None else seconds
        self._told: set[str] = set()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="watch", daemon=True)

    def __enter__(self) -> Watcher:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()
        self._thread.join()

    def look(self) -> None:
        """Refresh every store now."""
        problems = set()
        for store in self._stores():
            try:
                before = store.generation
                try:
                    refresh_store(store)
                finally:  # one source may have changed where another could not be read
                    if store.generation != before:
                        self._on_change(store)
            except StoreBusyError:
                continue  # another process reads the changes at this moment
            except Exception as error:  # whatever it is, the next look may go well
                problems.add(_words(error))
        for problem in problems - self._told:
            self._on_problem(problem)
        self._told = problems

    def _watch(self) -> None:
        while not self._ended.wait(self._seconds):
            self.look()


def _words(error: Exception) -> str:
    reason = str(error) if isinstance(error, LacunaError) else f"{type(error).__name__}: {error}"
    return f"The changes of the files cannot be followed at the moment. {reason}"


OpensRetriever = Callable[[Store], Retriever]
"""A retriever over a corpus: a retriever's class, most often."""


def open_corpus(
    corpus: Corpora = None,
    *,
    model: str | Path = "small",
    reader: Reader | str | None = None,
    retriever: OpensRetriever | str | None = None,
    config: PipelineConfig = PipelineConfig(),  # noqa: B008 - it is frozen
    threads: int | None = None,
    progress: Progress | None = None,
) -> Pipeline:
    """Something to ask: the demo corpus, a corpus of ``lacuna index``, a folder, archive or file,
    or several of them as one.

    ``model`` names a reader: the shipped one, a folder, or that of another package (``llm:NAME``);
    ``reader`` is one that is open already, or such a name. ``retriever`` is a name (``hybrid``), or
    makes one for the corpus, in the place of BM25.

    >>> import lacuna
    >>> islands = lacuna.open_corpus()
    >>> islands.ask("How high is Carrow Fell?").answer.text
    '684 metres'
    """
    return pipeline_over(
        open_store(corpus, progress=progress),
        model=model,
        reader=reader,
        retriever=retriever,
        config=config,
        threads=threads,
    )


def pipeline_over(
    store: Store,
    *,
    model: str | Path = "small",
    reader: Reader | str | None = None,
    retriever: OpensRetriever | str | None = None,
    config: PipelineConfig = PipelineConfig(),  # noqa: B008 - it is frozen
    threads: int | None = None,
) -> Pipeline:
    """The same over documents that are open already."""
    if reader is None or isinstance(reader, str):
        reader = open_reader(reader or model, threads=threads)
    if isinstance(retriever, str):
        retriever = partial(open_retriever, retriever)
    return Pipeline(
        store,
        reader,
        retriever=retriever(store) if retriever else None,
        config=config,
    )
