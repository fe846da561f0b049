"""``lacuna corpus export``: the link graph for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.corpus_arguments import Corpus


def export(
    corpus: Corpus,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Ends in .graphml or .parquet.")],
    first_paragraphs: Annotated[
        bool, typer.Option("--first-paragraphs", help="Only the links of first paragraphs.")
    ] = False,
) -> None:
    """Write the link graph as GraphML or Parquet."""
    from lacuna.cli.console import complain
    from lacuna.corpus.graph_export import export_graph
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        export_graph(store.graph(), file, lead=first_paragraphs)
    complain(f"The link graph was written to {file}.", "Done")
