"""From accepted sets of answers to questions that are kept, and those that are not and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lacuna.collect.tasks.iirc.given_answers import BAD, GivenAnswer, given_answers
from lacuna.collect.tasks.task import FinishedWork, Json

ENOUGH = 2
"""Of several people who answered, so many must say the same."""


@dataclass(frozen=True, slots=True)
class CollectedQuestion:
    """A question with all the answers that it got, the earliest first."""

    split: str
    payload: Json
    number: int
    answers: tuple[GivenAnswer, ...]

    @property
    def question(self) -> Json:
        """The question as it is stored in its set."""
        found: Json = self.payload["questions"][self.number]
        return found

    @property
    def common(self) -> GivenAnswer:
        """The answer that most people gave; of several such, the earliest."""
        counts = Counter(answer.same for answer in self.answers)
        return max(self.answers, key=lambda answer: counts[answer.same])

    @property
    def left_out(self) -> str | None:
        """Why the question is not kept, or None."""
        common, copies = self.common, self.payload["copies"]
        voices = sum(answer.same == common.same for answer in self.answers)
        if voices < min(ENOUGH, copies):
            if len(self.answers) < copies:
                return "not answered by enough people yet"
            return "no two people agree"
        if common.type == BAD:
            return f"bad question: {common.raw['reason']}"
        return None


def answered_questions(finished: Iterable[FinishedWork]) -> list[CollectedQuestion]:
    """The questions of all sets, with everybody's answers."""
    by_item: dict[str, list[FinishedWork]] = {}
    for work in finished:
        by_item.setdefault(work.item_key, []).append(work)
    return [question for works in by_item.values() for question in _questions(works)]


def _questions(works: Sequence[FinishedWork]) -> Iterable[CollectedQuestion]:
    ordered = sorted(works, key=lambda work: work.submission)
    payload, split = ordered[0].payload, ordered[0].split
    sheets = [given_answers(payload, work.work) for work in ordered]
    for number, answers in enumerate(zip(*sheets, strict=True)):
        yield CollectedQuestion(split, payload, number, answers)
