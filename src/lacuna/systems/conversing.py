"""Dialogs asked of a corpus, turn by turn, with the answers that were really given before."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna.errors import LacunaError
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.dialog import Conversation
from lacuna.pipeline.result import Result
from lacuna.systems.asking import PipelineSystem
from lacuna.systems.reading import dialogs_of
from lacuna.systems.system import Progress
from lacuna.types import Question


class ConversingSystem(PipelineSystem):
    """Holds each dialog of a file as a user would hold it."""

    def ask(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> dict[str, Result]:
        """The results by id; a question without a history begins a dialog."""
        results: dict[str, Result] = {}
        for dialog in dialogs_of(questions):
            conversation = Conversation(self.pipeline)
            for question in dialog:
                results[question.id] = conversation.ask(question.text)
                if progress is not None:
                    progress(len(results))
        return results

    def score(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> list[ScoredAnswer]:
        """What a turn is asked after depends on what was decided before it."""
        raise LacunaError(
            "A dialog goes on with what was answered, so there is nothing to tune on. Take a "
            "setting in which every question is asked by itself."
        )
