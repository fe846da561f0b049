"""``lacuna corpus seeds``: paragraphs worth asking about, as IIRC's authors chose them."""

from __future__ import annotations

from typing import Annotated

import typer

from lacuna.cli.corpus_arguments import Corpus, Output


def seeds(
    corpus: Corpus,
    output: Output = None,
    links: Annotated[int, typer.Option(min=1, help="Fewest articles it must link to.")] = 10,
) -> None:
    """List paragraphs that link to many other articles, in IIRC's format without questions."""
    from lacuna.cli.console import print_or_write
    from lacuna.corpus.mining import seeds as find_seeds
    from lacuna.corpus.mining.mining_files import raw_seed
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        print_or_write(map(raw_seed, find_seeds(store, store.resolve, links)), output)
