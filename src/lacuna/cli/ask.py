"""``lacuna ask``: one question, its answer and its evidence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.arguments import Json
from lacuna.cli.asking import Corpus, Hops, InTitle, Milliseconds, Trace
from lacuna.cli.reading import Model, Threads

if TYPE_CHECKING:
    from lacuna.types import Document


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", show_default=False)],
    passage: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Ask of this text; - reads standard input. Its links lead into the corpus.",
            show_default=False,
        ),
    ] = None,
    title: InTitle = None,
    corpus: Corpus = None,
    as_json: Json = False,
    trace: Trace = False,
    model: Model = "small",
    threads: Threads = None,
    hops: Hops = 2,
    milliseconds: Milliseconds = None,
) -> None:
    """Ask one question, of a passage, of a document, or of a whole corpus.

    The answer comes with the sentences that it was taken from; where nothing answers, with what is
    missing and where it was looked for.
    """
    from lacuna.ask.asking import Asked
    from lacuna.ask.nearest import nearest_quote
    from lacuna.cli.answers import show, show_steps
    from lacuna.cli.asking import budget_of, opened
    from lacuna.cli.console import print_json
    from lacuna.errors import LacunaError

    if passage is not None and title is not None:
        raise LacunaError("Give --passage or --in, not both: a question is asked of one text.")
    if not question.strip():
        raise LacunaError("The question is empty. Write one, in quotes.")
    text = None if passage is None else _passage(passage)
    budget = budget_of(hops, milliseconds)
    with opened(corpus, model=model, threads=threads, budget=budget) as asker:
        result = asker.ask(Asked(question, text, title))
        if as_json:
            print_json(result.as_json(trace=trace))
            return
        show(result, nearest=nearest_quote(asker.store, result))
        if trace:
            show_steps(result.steps)


def _passage(path: Path) -> Document:
    from lacuna.ask.passage_file import passage_from, passage_of

    if str(path) != "-":
        return passage_from(path)
    return passage_of("standard input", sys.stdin.buffer.read())
