"""``lacuna corpus pairs``: pairs of paragraphs to ask about, as HotpotQA's authors drew them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.corpus_arguments import Corpus, Output, Seed


def pairs(
    corpus: Corpus,
    curated: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Titles that may be bridges, one a line; else all."),
    ] = None,
    lists: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Similar entities: a JSON object of lists, or lines of list, tab, title.",
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=1, help="How many pairs.")] = 100,
    seed: Seed = 13,
    output: Output = None,
) -> None:
    """Draw bridge and comparison pairs in HotpotQA's ratios, one JSON object a line."""
    from itertools import islice

    from lacuna.cli.console import print_or_write
    from lacuna.corpus.mining import bridge_edges, comparison_lists, sample_pairs
    from lacuna.corpus.mining.mining_files import raw_pair, read_lists, read_titles
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        titles = read_titles(curated) if curated else store.titles()
        bridges = {found for title in titles if (found := store.resolve(title))}
        edges = bridge_edges(store, bridges, store.resolve)
        groups = comparison_lists(read_lists(lists), store.resolve) if lists else {}
        drawn = islice(sample_pairs(edges, groups, seed), count)
        print_or_write(map(raw_pair, drawn), output)
