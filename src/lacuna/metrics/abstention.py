"""How well a system knows which questions have no answer: precision, recall and F1."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Abstention:
    """Counts over the questions of a file; IIRC's table 6 is made of them.

    ``abstained`` is how many predictions were "none", ``unanswerable`` how many questions have no
    answer, ``right`` how many are both.

    >>> counts = Abstention()
    >>> for unanswerable, abstained in ((True, True), (True, False), (False, False)):
    ...     counts.add(unanswerable, abstained)
    >>> counts.precision, counts.recall, counts.f1
    (1.0, 0.5, 0.6666666666666666)
    """

    questions: int = 0
    unanswerable: int = 0
    abstained: int = 0
    right: int = 0

    def add(self, unanswerable: bool, abstained: bool) -> None:
        """Count one question."""
        self.questions += 1
        self.unanswerable += unanswerable
        self.abstained += abstained
        self.right += unanswerable and abstained

    @property
    def precision(self) -> float | None:
        """The share of abstentions that are right; None where there are none."""
        return self.right / self.abstained if self.abstained else None

    @property
    def recall(self) -> float | None:
        """The share of unanswerable questions that were recognised."""
        return self.right / self.unanswerable if self.unanswerable else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; 0 where nothing is right."""
        if not self.unanswerable:
            return None
        return 2 * self.right / (self.abstained + self.unanswerable)

    @property
    def always(self) -> Abstention:
        """What a system gets that always abstains."""
        count = self.unanswerable
        return Abstention(self.questions, count, self.questions, count)

    def as_json(self) -> dict[str, float | None]:
        """The three numbers, as shares."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}
