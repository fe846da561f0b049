"""``lacuna chat``: a dialog; each question is understood in the light of those before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

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
from lacuna.pipeline.config import MIN_CONFIDENCE

if TYPE_CHECKING:
    from lacuna.pipeline.dialog import Conversation, DialogAnswerer

HELP = """\
Ask a question, or:
  /new        start again; earlier questions are forgotten
  /in TITLE   start again, about one document
  /why        how the last answer came about
  /help       this list
  /quit       end, as Ctrl-D does"""


def chat(
    title: InTitle = None,
    corpus: Corpora = None,
    reader: ReaderName = None,
    retriever: RetrieverName = None,
    model: SystemModel = None,
    threads: Threads = None,
    hops: Hops = 2,
    milliseconds: Milliseconds = None,
    min_confidence: MinConfidence = MIN_CONFIDENCE,
    alternatives: Alternatives = 0,
    watch: Watch = False,
) -> None:
    """Ask questions that follow each other: "And when did she leave?".

    Reads one question a line from standard input. Exits with 1 if some of the lines of a pipe
    could not be asked.
    """
    from contextlib import ExitStack

    from lacuna.cli.console import warn
    from lacuna.cli.opening import opened_pipeline, reader_name
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.keeping_up.steady import SteadyPipeline

    with opened_pipeline(
        corpus or [],
        reader=reader_name(reader, model),
        retriever=retriever,
        threads=threads,
        config=PipelineConfig(hops=hops, milliseconds=milliseconds, min_confidence=min_confidence),
    ) as pipeline:
        session = _Session(SteadyPipeline(pipeline), title, alternatives)
        with ExitStack() as stack:
            if watch:
                from lacuna.pipeline.keeping_up.watch import Watcher

                stack.enter_context(Watcher(lambda: [pipeline.store], on_problem=warn))
            refused = sum(not session.handle(line) for line in _lines())
    if refused and not sys.stdin.isatty():
        raise typer.Exit(1)


def _lines() -> Iterator[str]:
    """What is typed or piped in, up to /quit; a terminal gets a prompt and a line editor."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        from contextlib import suppress

        from lacuna.cli.console import say

        with suppress(ImportError):  # Windows has none
            import readline  # noqa: F401 - input() edits with it
        say("Type a question; /help lists what else there is.")
    while True:
        try:
            line = input("> ") if sys.stdin.isatty() else input()
        except EOFError:
            return
        if line.strip() == "/quit":
            return
        if line.strip():
            yield line.strip()


class _Session:
    """A dialog that also takes commands."""

    def __init__(self, pipeline: DialogAnswerer, title: str | None, alternatives: int) -> None:
        self._pipeline = pipeline
        self._alternatives = alternatives
        self._dialog = self._begin(title)

    def _begin(self, title: str | None) -> Conversation:
        from lacuna.pipeline.dialog import Conversation

        return Conversation(self._pipeline, title=title)

    def handle(self, line: str) -> bool:
        """Answer a question or run a command; False where that is not possible."""
        from lacuna.cli.console import print_error
        from lacuna.errors import LacunaError

        try:
            if line.startswith("/"):
                self._run(*line.partition(" ")[::2])
            else:
                self._ask(line)
        except LacunaError as error:
            print_error(str(error))
            return False
        return True

    def _run(self, command: str, rest: str) -> None:
        from lacuna.cli.answers import show_steps
        from lacuna.cli.console import say
        from lacuna.errors import LacunaError, shown

        match command, rest.strip():
            case "/new", "":
                self._dialog = self._begin(None)
            case "/in", title if title:
                self._dialog = self._begin(title)
            case "/why", "":
                last = self._dialog.results[-1:]
                show_steps(last[0].steps if last else ())
            case "/help", "":
                say(HELP)
            case "/in", _:
                raise LacunaError("Say which document: /in TITLE")
            case _:
                line = f"{command} {rest}".strip()
                raise LacunaError(f"{shown(line)} is no command. /help lists them.")

    def _ask(self, question: str) -> None:
        from lacuna.cli.answers import show
        from lacuna.cli.cleaning import safe
        from lacuna.cli.console import say
        from lacuna.pipeline.quotes import nearest_quote

        result = self._dialog.ask(question)
        piped = not sys.stdin.isatty()
        if piped:
            say(f"question: {safe(question)}")
        nearest = nearest_quote(self._pipeline.store, result)
        show(result, nearest=nearest, alternatives=self._alternatives)
        if piped:
            say()
        sys.stdout.flush()
