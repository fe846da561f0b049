"""The pipeline as the server uses it: one model, several corpora, dialogs and single questions."""

from __future__ import annotations

from lacuna.corpus.store import Store
from lacuna.models.reader.reader import Reader
from lacuna.pipeline.dialog import go_on
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import OnStep


class TalkingAsker:
    """Answers a first question by itself, and later ones in the light of their dialog."""

    def __init__(self, store: Store, reader: Reader) -> None:
        self._asker = Pipeline(store, reader)

    @property
    def store(self) -> Store:
        """The corpus."""
        return self._asker.store

    def ask(self, asked: Query, *, watch: OnStep | None = None) -> Result:
        """One answer; ``watch`` is told of each step when it is done."""
        if asked.history:
            return go_on(self._asker, asked, watch=watch)
        return self._asker.ask(asked, watch=watch)
