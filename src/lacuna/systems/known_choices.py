"""A network that chooses among answers, over what a knowledge base knows of each choice."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from lacuna.datasets.setting import Setting
from lacuna.models.gapqa.known_choices import with_known_choices
from lacuna.models.protocol import Reader
from lacuna.retrieve.knowledge import KnowledgeBase
from lacuna.systems.reading import read_arranged
from lacuna.systems.system import Progress
from lacuna.types import Prediction, Question


class KnownChoicesSystem:
    """Looks up each choice, then reads; ``base`` has been narrowed to what may be found."""

    def __init__(self, base: KnowledgeBase, reader: Reader, name: str) -> None:
        self.name = name
        self._base, self._reader = base, reader

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        return read_arranged(
            self._reader,
            questions,
            partial(with_known_choices, self._base),
            setting=setting,
            progress=progress,
        )
