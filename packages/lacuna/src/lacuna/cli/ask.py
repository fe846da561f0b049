"""`lacuna ask`: one question, its answer and its evidence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.options import (
    Alternatives,
    Corpora,
    InTitle,
    Json,
    Knowledge,
    MinConfidence,
    ModelName,
    RetrieverName,
    Trace,
)

if TYPE_CHECKING:
    from lacuna.types import Document


Choices = Annotated[
    str | None,
    typer.Option(
        metavar='"A|B|…"',
        help="Choose one of these, by the gap between it and --fact.",
        show_default=False,
    ),
]
Fact = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="The fact that --choices begin with.", show_default=False),
]


def ask_choices(
    question: str,
    choices: str | None,
    fact: str | None,
    *,
    knowledge: Path | None,
    model: str | None,
    as_json: bool,
    trace: bool,
) -> None:
    """Ask, and show the choice with its filled gap."""
    from lacuna.cli.answers import show_choice as show
    from lacuna.cli.answers import show_trace
    from lacuna.cli.console import print_json, spinner
    from lacuna.cli.options import opened_gapqa
    from lacuna.errors import LacunaError
    from lacuna.pipeline.gapqa import typed_question

    if choices is None:
        raise LacunaError(
            f"{'--knowledge' if fact is None else '--fact'} belongs to a question with choices. "
            'Give them too: --choices "A|B|C|D".'
        )
    if fact is None:
        raise LacunaError(
            "A question with choices needs --fact: the gap that is to be filled begins at a fact "
            "and ends at a choice."
        )
    typed = typed_question(question, choices, fact)
    pipeline = opened_gapqa(knowledge, model=model, hidden=[fact])
    with spinner("filling the gap between the fact and each choice"):
        result = pipeline.ask(typed)
    if as_json:
        print_json(result.as_json(trace=trace))
        return
    show(result)
    if trace:
        show_trace(result)


OF_A_TEXT = {
    "context": "--context",
    "title": "--in",
    "corpus": "--corpus",
    "retriever": "--retriever",
    "min_confidence": "--min-confidence",
    "alternatives": "--alternatives",
}
"""Options that a question with choices has no use for."""


def ask(
    call: typer.Context,
    words: Annotated[list[str], typer.Argument(metavar="QUESTION", show_default=False)],
    context: Annotated[
        Path | None,
        typer.Option(
            "--context",
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
    model: ModelName = None,
    retriever: RetrieverName = None,
) -> None:
    """Ask one question of your documents.

    Without --corpus, questions go to the demo. Lacuna quotes the sentences that an answer rests on,
    and calls an answer probable where it is less sure than --min-confidence. Where nothing answers,
    Lacuna says what is missing and where it looked. Where most documents could not be read, it says
    so first, and the exit code is 1. For a question with --choices and a --fact, it
    gives the choice and fills the gap between the two from a knowledge base.
    """
    from lacuna.cli.options import one_text
    from lacuna.errors import LacunaError

    question = one_text(words, "question")
    if choices is not None or fact is not None or knowledge is not None:
        _refuse_texts(call)
        ask_choices(
            *(question, choices, fact),
            knowledge=knowledge,
            model=model,
            as_json=as_json,
            trace=trace,
        )
        return
    from lacuna.cli.answers import show, show_steps
    from lacuna.cli.console import mostly_unread, print_json, stages_shown, warn
    from lacuna.cli.options import chosen_confidence, chosen_corpora, chosen_model, opened_pipeline
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.query import Query
    from lacuna.pipeline.result import Stage
    from lacuna.pipeline.stages import nearest_quote

    if context is not None and title is not None:
        raise LacunaError("Give --context or --in, not both: a question is about one text.")
    text = None if context is None else _read_context(context)
    sure = chosen_confidence(min_confidence)
    with opened_pipeline(
        chosen_corpora(corpus),
        model=chosen_model(model),
        retriever=retriever,
        config=PipelineConfig(min_confidence=sure),
        as_json=as_json,
    ) as pipeline:
        is_about_a_text = text is not None or title is not None
        if unread := mostly_unread(pipeline.store):
            warn(unread)
        with stages_shown(Stage.SPOT if is_about_a_text else Stage.START) as on_step:
            result = pipeline.ask(Query(question, text, title), on_step=on_step)
        if as_json:
            print_json(result.as_json(trace=trace))
        else:
            nearest = nearest_quote(pipeline.store, result)
            show(result, nearest=nearest, alternatives=alternatives)
            if trace:
                show_steps(result.steps)
    if unread:
        raise typer.Exit(1)


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
    from lacuna.corpus.formats.detect import context_from, context_of

    if str(path) != "-":
        return context_from(path)
    return context_of("standard input", sys.stdin.buffer.read())
