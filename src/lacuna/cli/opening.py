"""Open what is asked, show how far it is, and say what it is where nobody has chosen it."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lacuna.cli.console import counting_bar, notify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lacuna.corpus.store import Store
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.gapqa import FillsGaps
    from lacuna.pipeline.pipeline import Pipeline


def reader_name(reader: str | None, model: str | None) -> str:
    """The reader that --reader or --model names; they mean the same, so one of them is enough."""
    from lacuna.cli.settings.chosen import chosen_model
    from lacuna.errors import LacunaError

    if reader is not None and model is not None:
        raise LacunaError("Give --reader or --model, not both: a model is read by one reader.")
    return reader or chosen_model(model)


def open_with_bar(corpora: Sequence[Path], *, as_json: bool = False) -> Store:
    """A corpus for any verb: of one source, of several, or the demo without one.

    A bar shows how far the indexing is, and a line says what could not be read, unless the output
    is for a program.
    """
    from lacuna.assets import demo
    from lacuna.cli.skipped import skipped_line
    from lacuna.corpus.open import open_store

    if not corpora:
        notify(demo.ASKS_CORPUS)
    name = " and ".join(corpus.name for corpus in corpora) or "the demo corpus"
    bars: list[Callable[[int], None]] = []
    with ExitStack() as stack:

        def show_indexing(done: int, total: int | None) -> None:
            if not bars:  # most often it is indexed already, and there is nothing to show
                bars.append(stack.enter_context(counting_bar(f"Indexing {name}", total)))
            bars[0](done)

        store = open_store(corpora, progress=show_indexing)
    if not as_json and (line := skipped_line(store, corpora)):
        notify(line)
    return store


@contextmanager
def opened_store(corpora: Sequence[Path], *, as_json: bool = False) -> Iterator[Store]:
    """The same, closed at the end."""
    with open_with_bar(corpora, as_json=as_json) as store:
        yield store


@contextmanager
def opened_pipeline(
    corpora: Sequence[Path],
    *,
    reader: str,
    retriever: str | None,
    threads: int | None,
    config: PipelineConfig,
    as_json: bool = False,
) -> Iterator[Pipeline]:
    """The corpus, ready for questions."""
    from lacuna.cli.terminal.spinner import spinner
    from lacuna.pipeline.open_corpus import pipeline_over
    from lacuna.retrieve.registry import open_retriever

    with opened_store(corpora, as_json=as_json) as store:
        with spinner("loading the model"):
            pipeline = pipeline_over(
                store,
                model=reader,
                retriever=None if retriever is None else partial(open_retriever, retriever),
                threads=threads,
                config=config,
            )
        yield pipeline


def opened_gapqa(
    knowledge: Path | None, *, model: str | None, threads: int | None, hidden: Iterable[str]
) -> FillsGaps:
    """GapQA, ready for questions."""
    from lacuna.assets import demo
    from lacuna.models.model_folder import DEFAULTS, ModelSystem
    from lacuna.pipeline.gapqa import open_gapqa

    if knowledge is None:
        notify(demo.ASKS_KNOWLEDGE)
    return open_gapqa(
        knowledge, model=model or DEFAULTS[ModelSystem.GAPQA], threads=threads, hidden=hidden
    )
