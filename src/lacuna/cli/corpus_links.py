"""``lacuna corpus links``: where a document leads, and what leads to it."""

from __future__ import annotations

from lacuna.cli.arguments import Json
from lacuna.cli.corpus_arguments import Corpus, Title


def links(corpus: Corpus, title: Title, as_json: Json = False) -> None:
    """List the links out of a document, those into it, and those that lead nowhere."""
    from lacuna.cli.console import print_json, print_table
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        graph = store.graph()
        found = {
            "out": graph.out_links(title),
            "in": graph.in_links(title),
            "dangling": graph.dangling(title),
        }
    if as_json:
        print_json(found)
        return
    for name, titles in found.items():
        print_table(f"{name} ({len(titles):,})", ("title",), [(other,) for other in titles])
