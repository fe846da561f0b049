"""A dialog at a prompt: a line is a question or a command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from lacuna.cli.chat.kept_dialogs import DialogKeeper, open_dialog
from lacuna.cli.console import notify, print_error, say, warn
from lacuna.errors import LacunaError
from lacuna.pipeline.dialog import Conversation, DialogAnswerer
from lacuna.pipeline.dialog.saved_dialog import SavedDialog, still_there

if TYPE_CHECKING:
    from lacuna.pipeline.result import Result

STOPPED = "The question was stopped; nothing of it is kept. "


class Session:
    """One dialog after the other, over one corpus.

    ``on_stop`` is told when Ctrl-C stopped a question; it says so, or ends it all. ``keeps`` says
    whether each dialog is kept in a file.
    """

    def __init__(
        self,
        pipeline: DialogAnswerer,
        corpora: Sequence[Path],
        *,
        alternatives: int,
        keeps: bool,
        on_stop: Callable[[str], None],
    ) -> None:
        self.pipeline = pipeline
        self.corpora = tuple(corpora)
        self.written: set[Path] = set()
        """Files that /save wrote, and may write again."""
        self._alternatives = alternatives
        self._keeps = keeps
        self._on_stop = on_stop
        self.begin(None)

    def begin(self, title: str | None) -> None:
        """Start again, about a document or about everything."""
        self._dialog = Conversation(self.pipeline, title=title)
        self._title = title
        self._begun = datetime.now().astimezone().isoformat(timespec="seconds")
        self._keeper = DialogKeeper() if self._keeps else None

    def resume(self, path: Path) -> None:
        """Go on with a dialog; what the corpus no longer says is not taken for evidence."""
        saved = open_dialog(path)
        for problem in saved.damage:
            warn(f"{path}: {problem}.")
        if {Path(path) for path in saved.corpora} != {path.absolute() for path in self.corpora}:
            notify(f"This dialog began with {' and '.join(saved.corpora) or 'the demo corpus'}.")
        self.begin(saved.title)
        self._begun = saved.begun
        # What could not be read stays in its file, and the dialog goes on in another.
        if self._keeps and not saved.damage:
            self._keeper = DialogKeeper(path)
        store = self.pipeline.store
        self._dialog.results.extend(still_there(result, store) for result in saved.results)
        count = len(saved.results)
        notify(f"{count} {'question was' if count == 1 else 'questions were'} asked before.")

    @property
    def results(self) -> list[Result]:
        """What was answered so far."""
        return self._dialog.results

    @property
    def saved(self) -> SavedDialog:
        """The dialog so far."""
        corpora = tuple(str(path.absolute()) for path in self.corpora)
        return SavedDialog(self._begun, corpora, self._title, tuple(self.results))

    def handle(self, line: str) -> bool:
        """Answer a question or run a command; False where that is not possible."""
        from lacuna.cli.chat.commands import is_command, run_command

        before = len(self.results)
        try:
            if is_command(line):
                run_command(self, line)
            else:
                self._ask(line)
        except KeyboardInterrupt:
            if len(self.results) > before:  # it came after the answer
                self._keep()
                self._on_stop("")
            else:
                self._on_stop(STOPPED)
        except LacunaError as error:
            print_error(str(error))
            return False
        return True

    def _ask(self, question: str) -> None:
        from lacuna.cli.answers import show
        from lacuna.cli.cleaning import safe
        from lacuna.cli.terminal.spinner import stages_shown
        from lacuna.pipeline.quotes import nearest_quote
        from lacuna.pipeline.trace import Stage

        with stages_shown(Stage.SPOT if self._title else Stage.START) as on_step:
            result = self._dialog.ask(question, on_step=on_step)
        piped = not sys.stdin.isatty()
        if piped:
            say(f"question: {safe(question)}")
        nearest = nearest_quote(self.pipeline.store, result)
        show(result, nearest=nearest, alternatives=self._alternatives)
        if piped:
            say()
        sys.stdout.flush()
        self._keep()

    def _keep(self) -> None:
        """A dialog that cannot be kept goes on all the same."""
        if self._keeper is None:
            return
        try:
            self._keeper.write(self.saved)
        except (LacunaError, OSError) as error:
            self._keeper, self._keeps = None, False
            warn(f"This dialog is not kept from here on: {error}")
