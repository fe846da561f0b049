"""Open what is asked, show how far it is, and say what it is where nobody has chosen it."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lacuna.cli.console import counting_bar, notify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.gapqa import FillsGaps
    from lacuna.pipeline.pipeline import Pipeline


def reader_name(reader: str | None, model: str | None, default: str = "small") -> str:
    """The reader that --reader or --model names; they mean the same, so one of them is enough."""
    from lacuna.errors import LacunaError

    if reader is not None and model is not None:
        raise LacunaError("Give --reader or --model, not both: a model is read by one reader.")
    return reader or model or default


@contextmanager
def opened_pipeline(
    corpus: Path | None,
    *,
    reader: str,
    retriever: str | None,
    threads: int | None,
    config: PipelineConfig,
) -> Iterator[Pipeline]:
    """The corpus, ready for questions."""
    from lacuna.assets import demo
    from lacuna.pipeline.open_corpus import open_corpus
    from lacuna.retrieve.registry import open_retriever

    if corpus is None:
        notify(demo.ASKS_CORPUS)
    name = "the demo corpus" if corpus is None else corpus.name
    bars: list[Callable[[int], None]] = []
    with ExitStack() as stack:

        def show_indexing(done: int, total: int | None) -> None:
            if not bars:  # most often it is indexed already, and there is nothing to show
                bars.append(stack.enter_context(counting_bar(f"Indexing {name}", total)))
            bars[0](done)

        pipeline = open_corpus(
            corpus,
            model=reader,
            retriever=None if retriever is None else partial(open_retriever, retriever),
            threads=threads,
            config=config,
            progress=show_indexing,
        )
    with pipeline.store as store:
        if bars and (skipped := list(store.skipped())):
            notify(
                f"{len(skipped):,} pages or files of {name} gave no document; "
                f"{skipped[0].where}, for one: {skipped[0].reason}."
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
