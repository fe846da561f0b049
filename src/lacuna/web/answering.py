"""What the server needs of a pipeline."""

from __future__ import annotations

from typing import Protocol

from lacuna.ask.asking import Asked
from lacuna.ask.result import Result
from lacuna.ask.trace import Watch
from lacuna.corpus.store import Store


class Answers(Protocol):
    """Answers questions over a corpus, from several threads if there are several workers."""

    @property
    def store(self) -> Store:
        """The corpus."""
        ...

    def ask(self, asked: Asked, *, watch: Watch | None = None) -> Result:
        """One answer; ``watch`` is told of each step when it is done."""
        ...
