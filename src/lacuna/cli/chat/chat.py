"""``lacuna chat``: a dialog; each question is understood in the light of those before."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.options import (
    Alternatives,
    Corpora,
    Hops,
    InTitle,
    Milliseconds,
    MinConfidence,
    ReaderName,
    RetrieverName,
    SystemModel,
    Threads,
    Watch,
)

if TYPE_CHECKING:
    from lacuna.pipeline.dialog.saved_dialog import SavedDialog


def chat(
    dialog: Annotated[
        str | None,
        typer.Argument(
            metavar="[DIALOG]",
            help="With --resume: its number in the list, its name, or a file; else the last one.",
            show_default=False,
        ),
    ] = None,
    title: InTitle = None,
    corpus: Corpora = None,
    reader: ReaderName = None,
    retriever: RetrieverName = None,
    model: SystemModel = None,
    threads: Threads = None,
    hops: Hops = 2,
    milliseconds: Milliseconds = None,
    min_confidence: MinConfidence = None,
    alternatives: Alternatives = 0,
    watch: Watch = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an earlier dialog.")] = False,
    list_dialogs: Annotated[bool, typer.Option("--list", help="List earlier dialogs.")] = False,
    no_save: Annotated[
        bool, typer.Option("--no-save", help="Keep no record of this dialog.")
    ] = False,
) -> None:
    """Ask questions that follow each other: "And when did she leave?".

    Reads one question a line from standard input; /help lists commands. Exits with 1 if some of the
    lines of a pipe could not be asked. What is asked at a terminal is kept, and can be resumed.
    """
    from contextlib import ExitStack

    from lacuna.cli.chat.commands import COMMANDS, show_dialogs
    from lacuna.cli.chat.kept_dialogs import find_dialog, open_dialog
    from lacuna.cli.chat.prompt import TypedLines
    from lacuna.cli.chat.session import Session
    from lacuna.cli.console import say, warn
    from lacuna.cli.opening import opened_pipeline, reader_name
    from lacuna.cli.settings.chosen import chosen_confidence, chosen_corpora
    from lacuna.errors import LacunaError
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.keeping_up.steady import SteadyPipeline

    if list_dialogs:
        show_dialogs()
        return
    if dialog is not None and not resume:
        raise LacunaError(f"{dialog!r} is one argument too many; --resume goes before a dialog.")
    if resume and title is not None:
        raise LacunaError("Give --in or --resume, not both: a dialog is about what it began with.")
    path = find_dialog(dialog or "") if resume else None
    saved = None if path is None else open_dialog(path)
    corpora = chosen_corpora(corpus) if corpus or saved is None else _began_with(saved)
    limits = PipelineConfig(
        hops=hops, milliseconds=milliseconds, min_confidence=chosen_confidence(min_confidence)
    )
    with opened_pipeline(
        corpora,
        reader=reader_name(reader, model),
        retriever=retriever,
        threads=threads,
        config=limits,
    ) as pipeline:
        lines = TypedLines(list(COMMANDS))
        keeps = (lines.is_terminal or resume) and not no_save
        session = Session(
            SteadyPipeline(pipeline),
            corpora,
            alternatives=alternatives,
            keeps=keeps,
            on_stop=lines.interrupted,
        )
        if path is None:
            session.begin(title)
        else:
            session.resume(path)
        with ExitStack() as stack:
            if watch:
                from lacuna.pipeline.keeping_up.watch import Watcher

                stack.enter_context(Watcher(lambda: [pipeline.store], on_problem=warn))
            if lines.is_terminal:
                say("Type a question; /help lists what else there is.")
            refused = sum(not session.handle(line) for line in lines)
    if refused and not sys.stdin.isatty():
        raise typer.Exit(1)


def _began_with(saved: SavedDialog) -> list[Path]:
    """What the dialog was asked of, whatever is set by now; nothing stands for the demo."""
    return [Path(path) for path in saved.corpora]
