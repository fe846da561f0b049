"""``lacuna corpus remove``: take documents out."""

from __future__ import annotations

from typing import Annotated

import typer

from lacuna.cli.corpus_arguments import Corpus


def remove(
    corpus: Corpus,
    titles: Annotated[list[str], typer.Argument(metavar="TITLE…", show_default=False)],
) -> None:
    """Remove documents or redirects by their exact titles; links to them dangle from then on."""
    from lacuna.cli.console import complain
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store, store.writer() as writer:
        for title in titles:
            writer.remove(title)
    complain(f"{len(titles):,} removed from {corpus}.", "Done")
