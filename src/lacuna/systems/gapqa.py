"""GapQA as a system: it fills the gap between a core fact and each choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lacuna.datasets.answer_trace import AnswerTrace, ChoiceTrace
from lacuna.datasets.setting import Setting
from lacuna.pipeline.choices import check_choices
from lacuna.systems.system import Progress, chunks
from lacuna.types import Prediction, Question

if TYPE_CHECKING:
    from lacuna.pipeline.gapqa import FillsGaps
    from lacuna.pipeline.result import Result

DATASET, SETTING = "openbookqa", "core-fact"
"""What GapQA is made for: without a core fact, there is no gap to name."""
CHUNK = 64
"""Questions that are asked together."""


class GapQASystem:
    """Asks GapQA's pipeline; each question needs a core fact and choices."""

    at_once = CHUNK

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
    ) -> Iterator[tuple[Question, Result]]:
        """Each question with its result."""
        done = 0
        for chunk in chunks(questions, CHUNK):
            yield from zip(chunk, self.pipeline.ask_many(chunk), strict=True)
            done += len(chunk)
            if progress is not None:
                progress(done)


def trace_of_choices(result: Result) -> AnswerTrace:
    """What the model made of each choice."""
    return AnswerTrace(
        choices=tuple(
            ChoiceTrace(
                scored.choice.label,
                scored.fact_score,
                scored.relation_score,
                bool(scored.knowledge),
            )
            for scored in result.choices
        )
    )


def core_facts(questions: Iterable[Question]) -> list[str]:
    """The fact of every question; the first that GapQA cannot be asked is refused.

    So a whole file is checked before a model spends its time on half of it.
    """
    facts = []
    for question in questions:
        check_choices(question)
        facts.append(question.fact or "")
    return facts
