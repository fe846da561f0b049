"""The pipeline as the server uses it: one model, several corpora, dialogs and single questions."""

from __future__ import annotations

from lacuna.corpus.store import Store
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.dialog import ask_in_dialog
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import OnStep


class TalkingAsker:
    """Answers a first question by itself, and later ones in the light of their dialog."""

    def __init__(self, store: Store, reader: ModelReader) -> None:
        self._asker = Pipeline(store, reader)

    @property
    def store(self) -> Store:
        """The corpus."""
        return self._asker.store

    def ask(self, asked: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` is told of each step when it is done."""
        if asked.history:
            return ask_in_dialog(self._asker, asked, on_step=on_step)
        return self._asker.ask(asked, on_step=on_step)
