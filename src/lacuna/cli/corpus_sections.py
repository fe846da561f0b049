"""``lacuna corpus sections``: sections worth a dialog, as QuAC's authors chose them."""

from __future__ import annotations

from typing import Annotated

import typer

from lacuna.cli.corpus_arguments import Corpus, Output


def sections(
    corpus: Corpus,
    output: Output = None,
    in_links: Annotated[
        int, typer.Option(min=0, help="Fewest documents that must link to the article.")
    ] = 100,
) -> None:
    """List sections of much-linked articles, in QuAC's format without questions."""
    from lacuna.cli.console import print_or_write
    from lacuna.corpus.mining import choose_sections
    from lacuna.corpus.mining.mining_files import raw_section
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        chosen = choose_sections(store, store.graph(), fewest_in_links=in_links)
        print_or_write(map(raw_section, chosen), output)
