"""``lacuna corpus distractors``: hide a pair of paragraphs among eight others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.corpus_arguments import Corpus, Seed


def distractors(
    corpus: Corpus,
    pairs: Annotated[Path, typer.Argument(metavar="PAIRS", help="From `lacuna corpus pairs`.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="A HotpotQA-format file.")
    ],
    seed: Seed = 13,
) -> None:
    """Write HotpotQA items that wait for their question: 2 gold paragraphs, 8 distractors."""
    from lacuna.cli.console import complain
    from lacuna.corpus.mining import item_of
    from lacuna.corpus.mining.mining_files import read_pairs
    from lacuna.corpus.store import Store
    from lacuna.datasets import get_dataset
    from lacuna.datasets.item import Item
    from lacuna.datasets.summary import Summary
    from lacuna.retrieve.hotpotqa import HotpotRetriever

    hotpotqa = get_dataset("hotpotqa")
    summary = Summary(hotpotqa)
    with Store.open(corpus) as store:
        retriever = HotpotRetriever(store)

        def titles(query: str, k: int) -> list[str]:
            return [hit.title for hit in retriever.search(query, k)]

        items = (Item.of(item_of(pair, store.document, titles, seed)) for pair in read_pairs(pairs))
        hotpotqa.write(output, summary.counted(items))
    complain(f"{summary.questions:,} items written to {output}.", "Done")
