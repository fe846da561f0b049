"""What the verbs that ask share: their options, and how the corpus is opened."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.pipeline import Pipeline

Corpus = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="A folder or file of notes, or a corpus made by `lacuna index`; without it the demo.",
        show_default=False,
    ),
]
InTitle = Annotated[
    str | None,
    typer.Option("--in", metavar="TITLE", help="Ask of this document.", show_default=False),
]
Trace = Annotated[bool, typer.Option("--trace", help="Show what was done, step by step.")]
Hops = Annotated[
    int, typer.Option(min=0, help="How often the search may go on from what it found.")
]
Milliseconds = Annotated[
    float | None,
    typer.Option(help="Begin no new step after this time.", show_default=False),
]


def config_of(hops: int, milliseconds: float | None) -> PipelineConfig:
    """The limits that the options name."""
    from lacuna.pipeline.config import PipelineConfig

    return PipelineConfig(hops=hops, milliseconds=milliseconds)


@contextmanager
def opened(
    corpus: Path | None, *, model: str, threads: int | None, config: PipelineConfig
) -> Iterator[Pipeline]:
    """The corpus, ready for questions; says which one it is where nobody has said so."""
    from lacuna.cli.console import complain, counting_bar
    from lacuna.pipeline.open_corpus import open_corpus

    if corpus is None:
        complain("This asks the demo corpus; --corpus DIR asks your own notes.", "Note")
    name = "the demo corpus" if corpus is None else corpus.name
    seen: list[Callable[[int], None]] = []
    with ExitStack() as held:

        def indexing(done: int, total: int | None) -> None:
            if not seen:  # most often it is indexed already, and there is nothing to show
                seen.append(held.enter_context(counting_bar(f"Indexing {name}", total)))
            seen[0](done)

        pipeline = open_corpus(
            corpus, model=model, threads=threads, config=config, progress=indexing
        )
    with pipeline.store as store:
        if seen and (skipped := list(store.skipped())):
            complain(
                f"{len(skipped):,} pages or files of {name} gave no document; "
                f"{skipped[0].where}, for one: {skipped[0].reason}.",
                "Note",
            )
        yield pipeline
