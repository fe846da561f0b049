"""The pipeline as the server uses it: one model, several corpora, dialogs and single questions."""

from __future__ import annotations

from lacuna.ask.asking import Asked
from lacuna.ask.conversation import go_on
from lacuna.ask.pipeline import Asker
from lacuna.ask.result import Result
from lacuna.ask.trace import Watch
from lacuna.corpus.store import Store
from lacuna.read.reader import Reader


class TalkingAsker:
    """Answers a first question by itself, and later ones in the light of their dialog."""

    def __init__(self, store: Store, reader: Reader) -> None:
        self._asker = Asker(store, reader)

    @property
    def store(self) -> Store:
        """The corpus."""
        return self._asker.store

    def ask(self, asked: Asked, *, watch: Watch | None = None) -> Result:
        """One answer; ``watch`` is told of each step when it is done."""
        if asked.history:
            return go_on(self._asker, asked, watch=watch)
        return self._asker.ask(asked, watch=watch)
