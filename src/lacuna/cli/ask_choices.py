"""``lacuna ask --choices``: a question with choices, and the fact that it begins with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
    threads: int | None,
    as_json: bool,
    trace: bool,
) -> None:
    """Ask, and show the choice with its filled gap."""
    from lacuna.cli.console import print_json
    from lacuna.cli.gap_answers import show, show_trace
    from lacuna.cli.opening import opened_gapqa
    from lacuna.cli.terminal.spinner import spinner
    from lacuna.errors import LacunaError
    from lacuna.pipeline.choices import typed_question

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
    pipeline = opened_gapqa(knowledge, model=model, threads=threads, hidden=[fact])
    with spinner("filling the gap between the fact and each choice"):
        result = pipeline.ask(typed)
    if as_json:
        print_json(result.as_json(trace=trace))
        return
    show(result)
    if trace:
        show_trace(result)
