"""Lacuna answers questions that the text at hand only partly answers."""

from lacuna.errors import LacunaError
from lacuna.tasks import TASKS, get_task
from lacuna.types import (
    Answer,
    AnswerKind,
    Choice,
    DialogActs,
    Document,
    Evidence,
    FollowUp,
    Gap,
    Gold,
    Link,
    Prediction,
    Question,
    Role,
    Section,
    Span,
    SupportingFact,
    Turn,
    YesNo,
)
from lacuna.version import __version__

__all__ = [
    "TASKS",
    "Answer",
    "AnswerKind",
    "Choice",
    "DialogActs",
    "Document",
    "Evidence",
    "FollowUp",
    "Gap",
    "Gold",
    "LacunaError",
    "Link",
    "Prediction",
    "Question",
    "Role",
    "Section",
    "Span",
    "SupportingFact",
    "Turn",
    "YesNo",
    "__version__",
    "get_task",
]
