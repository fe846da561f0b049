"""``lacuna corpus show``: one document."""

from __future__ import annotations

from lacuna.cli.arguments import Json
from lacuna.cli.corpus_arguments import Corpus, Title


def show(corpus: Corpus, title: Title, as_json: Json = False) -> None:
    """Print a document; with --json, with its sentences, links and sections."""
    from dataclasses import asdict

    from lacuna.cli.console import print_json
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        document = store.document(title)
    if as_json:
        print_json(asdict(document))
    else:
        print(f"{document.title}\n\n{document.text}")
