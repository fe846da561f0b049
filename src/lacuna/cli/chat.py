"""``lacuna chat``: question after question, each in the light of those before."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from lacuna.cli.asking import Corpus, Hops, InTitle, Milliseconds
from lacuna.cli.reading import Model, Threads

if TYPE_CHECKING:
    from lacuna.pipeline.dialog import Dialog
    from lacuna.pipeline.pipeline import Pipeline

HELP = """\
Ask a question, or:
  /new        begin anew; what was said is forgotten
  /in TITLE   begin anew, about one document
  /why        how the last answer came about
  /help       this list
  /quit       end, as Ctrl-D does"""


def chat(
    title: InTitle = None,
    corpus: Corpus = None,
    model: Model = "small",
    threads: Threads = None,
    hops: Hops = 2,
    milliseconds: Milliseconds = None,
) -> None:
    """Ask questions that follow each other: "And when did she leave?".

    Reads one question a line from standard input. Exits with 1 if some of the lines of a pipe
    could not be asked.
    """
    from lacuna.cli.asking import config_of, opened

    config = config_of(hops, milliseconds)
    with opened(corpus, model=model, threads=threads, config=config) as pipeline:
        talk = _Talk(pipeline, title)
        refused = sum(not talk.said(line) for line in _lines())
    if refused and not sys.stdin.isatty():
        raise typer.Exit(1)


def _lines() -> Iterator[str]:
    """What is typed or piped in, up to /quit; a terminal gets a prompt and a line editor."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty():
        from contextlib import suppress

        with suppress(ImportError):  # Windows has none
            import readline  # noqa: F401 - input() edits with it
        print("Type a question; /help lists what else there is.")
    while True:
        try:
            line = input("> ") if sys.stdin.isatty() else input()
        except EOFError:
            return
        if line.strip() == "/quit":
            return
        if line.strip():
            yield line.strip()


class _Talk:
    """A conversation that also obeys commands."""

    def __init__(self, pipeline: Pipeline, title: str | None) -> None:
        self._asker = pipeline
        self._conversation = self._begin(title)

    def _begin(self, title: str | None) -> Dialog:
        from lacuna.pipeline.dialog import Dialog

        return Dialog(self._asker, title=title)

    def said(self, line: str) -> bool:
        """Answer or obey one line; False where it could not be done."""
        from lacuna.cli.console import complain
        from lacuna.errors import LacunaError

        try:
            if line.startswith("/"):
                self._obey(*line.partition(" ")[::2])
            else:
                self._ask(line)
        except LacunaError as error:
            complain(str(error))
            return False
        return True

    def _obey(self, command: str, rest: str) -> None:
        from lacuna.cli.answers import show_steps
        from lacuna.errors import LacunaError, shown

        match command, rest.strip():
            case "/new", "":
                self._conversation = self._begin(None)
            case "/in", title if title:
                self._conversation = self._begin(title)
            case "/why", "":
                last = self._conversation.results[-1:]
                show_steps(last[0].steps if last else ())
            case "/help", "":
                print(HELP)
            case "/in", _:
                raise LacunaError("Say which document: /in TITLE")
            case _:
                line = f"{command} {rest}".strip()
                raise LacunaError(f"{shown(line)} is no command. /help lists them.")

    def _ask(self, question: str) -> None:
        from lacuna.cli.answers import show
        from lacuna.cli.safe_text import safe
        from lacuna.pipeline.quotes import nearest_quote

        result = self._conversation.ask(question)
        piped = not sys.stdin.isatty()
        if piped:
            print(f"question: {safe(question)}")
        show(result, nearest=nearest_quote(self._asker.store, result))
        if piped:
            print()
        sys.stdout.flush()
