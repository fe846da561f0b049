"""``lacuna corpus info``: what a corpus holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from lacuna.cli.arguments import Json
from lacuna.cli.corpus_arguments import Corpus


def info(
    corpus: Corpus,
    skipped: Annotated[
        bool, typer.Option("--skipped", help="List what gave no document, and why.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Count what a corpus holds, and name the missing documents that most links lead to."""
    from lacuna.cli.console import print_json, print_table
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        graph = store.graph()
        facts = {**asdict(store.info()), "links": graph.link_count()}
        wanted = graph.most_wanted()
        passed_over = [(item.where, item.reason) for item in store.skipped()] if skipped else []
    if as_json:
        print_json({**facts, "most_wanted": dict(wanted), "skipped_pages": passed_over})
        return
    rows = [(name.replace("_", " "), value) for name, value in facts.items()]
    print_table(str(corpus), ("what", "count"), rows)
    if wanted:
        print_table("Linked to, but not there", ("title", "documents that link to it"), wanted)
    if skipped:
        print_table("Passed over", ("page or file", "why"), passed_over)
