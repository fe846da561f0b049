"""One question on its way through the components."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from lacuna.corpus.excerpt import Excerpt
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.links import Spotted
from lacuna.pipeline.query import Query
from lacuna.pipeline.trace import Candidate, OnStep, Stage, Step
from lacuna.retrieve.windows import Window
from lacuna.types import Document, Prediction, Span


@dataclass(frozen=True, slots=True)
class Read:
    """One reading: what it was given, as documents by the title that the reader knew them by."""

    texts: dict[str, Excerpt]
    weighed: ScoredAnswer
    windows: tuple[Window, ...]


@dataclass(slots=True)
class QuestionState:
    """What is known of a question so far.

    ``passage`` is what it is asked of; ``focus`` the part of it that is read whatever else is
    found, and None where the passage itself was found by a search. ``own`` says that the passage
    came with the question and is no document of the corpus. ``pool`` holds all ranked windows,
    ``followed`` the link of the passage that led to a document, ``relevance`` is what the reader
    gave the best window for its text alone.
    """

    asked: Query
    query: str
    on_step: OnStep | None = None
    context: Document | None = None
    focus: Excerpt | None = None
    own: bool = False
    hop: int = 0
    enough: bool = False
    relevance: float = -math.inf
    pool: dict[Window, float] = field(default_factory=dict)
    to_look_in: dict[str, float] = field(default_factory=dict)
    spotted: list[Spotted] = field(default_factory=list)
    followed: dict[str, Span] = field(default_factory=dict)
    looked_from: set[str] = field(default_factory=set)
    read: Read | None = None
    prediction: Prediction | None = None
    steps: list[Step] = field(default_factory=list)

    @property
    def spent(self) -> float:
        """Milliseconds of all steps."""
        return sum(step.milliseconds for step in self.steps)

    def done(
        self, stage: Stage, said: str, candidates: tuple[Candidate, ...], milliseconds: float
    ) -> None:
        """Keep a step, and tell of it."""
        step = Step(stage, self.hop, said, candidates, milliseconds)
        self.steps.append(step)
        if self.on_step is not None:
            self.on_step(step)

    def best_windows(self) -> list[tuple[Window, float]]:
        """The ranked windows, the best first; equal ones in the order in which they were found."""
        return sorted(self.pool.items(), key=lambda pair: -pair[1])
