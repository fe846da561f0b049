"""What was done for an answer, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """The components that a question walks through."""

    START = "start"
    """A passage to begin with was looked for, because none was given."""
    SPOT = "spot"
    """Which links of the passage may hold what is missing."""
    FIND = "find"
    """Windows of the linked (or found) documents, ranked."""
    READ = "read"
    """One reading of the passage and the chosen windows."""
    ANSWER = "answer"
    """The decision: this answer, or none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that a step considered.

    For SPOT it is a link: ``start`` and ``end`` are places in the passage and ``title`` is where
    it leads. For START and FIND it is a stretch of the document of that title. For READ and
    ANSWER it is a possible answer, with its ``text``, and where it stands if that is known.
    """

    title: str
    score: float
    chosen: bool
    text: str = ""
    start: int | None = None
    end: int | None = None
    section: tuple[str, ...] = ()
    dangling: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One stage with its candidates, the best first, and the time it took."""

    stage: Stage
    hop: int
    message: str
    """What happened, in one plain sentence."""
    candidates: tuple[Candidate, ...]
    milliseconds: float


OnStep = Callable[[Step], None]
"""Told of each step when it is done."""

Told = tuple[str, tuple[Candidate, ...]]
"""What a stage says of one question: what happened, and its candidates."""
