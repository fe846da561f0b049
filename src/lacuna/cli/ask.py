"""``lacuna ask``: one question, its answer and its evidence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.ask_choices import Choices, Fact, ask_choices
from lacuna.cli.options import (
    Alternatives,
    Corpora,
    Hops,
    InTitle,
    Json,
    Knowledge,
    Milliseconds,
    MinConfidence,
    ReaderName,
    RetrieverName,
    SystemModel,
    Threads,
    Trace,
)

if TYPE_CHECKING:
    from lacuna.types import Document

OF_A_TEXT = {
    "context": "--context",
    "title": "--in",
    "corpus": "--corpus",
    "reader": "--reader",
    "retriever": "--retriever",
    "hops": "--hops",
    "milliseconds": "--milliseconds",
    "min_confidence": "--min-confidence",
    "alternatives": "--alternatives",
}
"""Options that a question with choices has no use for."""


def ask(
    call: typer.Context,
    question: Annotated[str, typer.Argument(metavar="QUESTION", show_default=False)],
    context: Annotated[
        Path | None,
        typer.Option(
            "--context",
            "--passage",
            metavar="FILE",
            help="Ask about this text; - reads standard input. Its links lead into the corpus.",
            show_default=False,
        ),
    ] = None,
    title: InTitle = None,
    corpus: Corpora = None,
    choices: Choices = None,
    fact: Fact = None,
    knowledge: Knowledge = None,
    min_confidence: MinConfidence = None,
    alternatives: Alternatives = 0,
    as_json: Json = False,
    trace: Trace = False,
    reader: ReaderName = None,
    retriever: RetrieverName = None,
    model: SystemModel = None,
    threads: Threads = None,
    hops: Hops = 2,
    milliseconds: Milliseconds = None,
) -> None:
    """Ask one question about a text, a document, or a whole corpus.

    The answer comes with the sentences that it was taken from, and is called probable where it is
    less sure than --min-confidence; where nothing answers, it says what is missing and where it
    was looked for. A question with --choices and a --fact gets the choice, and
    what is missing between the two, filled from a knowledge base.
    """
    from lacuna.errors import LacunaError

    if not question.strip():
        raise LacunaError("The question is empty. Write one, in quotes.")
    if choices is not None or fact is not None or knowledge is not None:
        _refuse_texts(call)
        ask_choices(
            *(question, choices, fact),
            knowledge=knowledge,
            model=model,
            threads=threads,
            as_json=as_json,
            trace=trace,
        )
        return
    from lacuna.cli.answers import show, show_steps
    from lacuna.cli.console import print_json
    from lacuna.cli.opening import opened_pipeline, reader_name
    from lacuna.cli.settings.chosen import chosen_confidence, chosen_corpora
    from lacuna.cli.terminal.spinner import stages_shown
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.query import Query
    from lacuna.pipeline.quotes import nearest_quote
    from lacuna.pipeline.trace import Stage

    if context is not None and title is not None:
        raise LacunaError("Give --context or --in, not both: a question is about one text.")
    text = None if context is None else _read_context(context)
    sure = chosen_confidence(min_confidence)
    with opened_pipeline(
        chosen_corpora(corpus),
        reader=reader_name(reader, model),
        retriever=retriever,
        threads=threads,
        config=PipelineConfig(hops=hops, milliseconds=milliseconds, min_confidence=sure),
        as_json=as_json,
    ) as pipeline:
        is_about_a_text = text is not None or title is not None
        with stages_shown(Stage.SPOT if is_about_a_text else Stage.START) as on_step:
            result = pipeline.ask(Query(question, text, title), on_step=on_step)
        if as_json:
            print_json(result.as_json(trace=trace))
            return
        nearest = nearest_quote(pipeline.store, result)
        show(result, nearest=nearest, alternatives=alternatives)
        if trace:
            show_steps(result.steps)


def _refuse_texts(call: typer.Context) -> None:
    from lacuna.errors import LacunaError

    for name, option in OF_A_TEXT.items():
        source = call.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise LacunaError(
                f"{option} does not go with --choices: a question with choices is asked of its "
                "--fact and of the knowledge in --knowledge. Leave one of the two out."
            )


def _read_context(path: Path) -> Document:
    from lacuna.corpus.formats.context_file import context_from, context_of

    if str(path) != "-":
        return context_from(path)
    return context_of("standard input", sys.stdin.buffer.read())
