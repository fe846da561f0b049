"""GapQA as a system: it fills the gap between a core fact and each choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lacuna.datasets.setting import Setting
from lacuna.errors import LacunaError
from lacuna.models.gapqa.choice_gaps import GapResult
from lacuna.pipeline.gapqa_protocol import FillsGaps
from lacuna.systems.system import Progress, chunks
from lacuna.types import Prediction, Question

DATASET, SETTING = "openbookqa", "core-fact"
"""What GapQA is made for: without a core fact, there is no gap to name."""
CHUNK = 64
"""Questions that are asked together."""


class GapQASystem:
    """Asks GapQA's pipeline; each question needs a core fact and choices."""

    def __init__(self, pipeline: FillsGaps, name: str = "gapqa") -> None:
        self.name = name
        self.pipeline = pipeline

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        results = self.ask(questions, progress=progress)
        return {question.id: result.prediction for question, result in results}

    def ask(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> Iterator[tuple[Question, GapResult]]:
        """Each question with its result."""
        done = 0
        for chunk in chunks(questions, CHUNK):
            yield from zip(chunk, self.pipeline.ask_many(chunk), strict=True)
            done += len(chunk)
            if progress is not None:
                progress(done)


def core_facts(questions: Iterable[Question]) -> list[str]:
    """The fact of every question; the first question without one, or without choices, is refused.

    So a whole file is checked before a model spends its time on half of it.
    """
    facts = []
    for question in questions:
        if not (question.fact and question.fact.strip()):
            raise LacunaError(
                f"Question {question.id!r} has no core fact, and GapQA begins at one. Give a file "
                "with facts (fact1), or read it with --system reader."
            )
        if len(question.choices) < 2 or not all(choice.text.strip() for choice in question.choices):
            raise LacunaError(
                f"Question {question.id!r} has fewer than two choices, or an empty one. Mend it, "
                "or take it out of the file."
            )
        facts.append(question.fact)
    return facts
