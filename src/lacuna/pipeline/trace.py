"""What was done for an answer, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """The stages that a question passes, in this order."""

    START = "start"
    """A context to begin with is searched for, where none was given."""
    SPOT = "spot"
    """Which links of the context may hold what is missing; with choices, the fact's key span."""
    FIND = "find"
    """Windows of the linked (or found) documents, ranked; with choices, lines of knowledge."""
    READ = "read"
    """The context and the selected windows, read together."""
    ANSWER = "answer"
    """The decision: this answer, or none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that a step considered.

    For SPOT it is a link: ``source`` is the document with the link, ``start`` and ``end`` are
    places in it, and ``title`` is where it leads. For START and FIND it is a stretch of the
    document of that title. For READ and ANSWER it is a possible answer, with its ``text``, and
    where it stands if that is known. Of a question with choices, FIND has lines of knowledge with
    their source, and READ each choice with its clearest line.
    """

    title: str
    score: float
    chosen: bool
    text: str = ""
    start: int | None = None
    end: int | None = None
    section: tuple[str, ...] = ()
    dangling: bool = False
    source: str = ""


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
"""Called with each step when it is done."""
