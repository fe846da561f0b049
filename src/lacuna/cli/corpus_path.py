"""``lacuna corpus path``: how to get from one document to another."""

from __future__ import annotations

from typing import Annotated

import typer

from lacuna.cli.arguments import Json
from lacuna.cli.corpus_arguments import Corpus, Title


def path(
    corpus: Corpus,
    start: Title,
    goal: Annotated[str, typer.Argument(metavar="TITLE", show_default=False)],
    as_json: Json = False,
) -> None:
    """Find a shortest way along links; exits with 1 if there is none."""
    from lacuna.cli.console import complain, print_json
    from lacuna.corpus.store import Store

    with Store.open(corpus) as store:
        titles = store.graph().path(start, goal)
    if as_json:
        print_json({"path": titles})
    elif titles:
        print(" → ".join(titles))
    if titles is None:
        complain(f"No links lead from {start} to {goal}.", "Note")
        raise typer.Exit(1)
