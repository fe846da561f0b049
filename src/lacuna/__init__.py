"""Lacuna answers questions that the text at hand only partly answers."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from lacuna.ask.asking import Asked
    from lacuna.ask.budget import Budget
    from lacuna.ask.conversation import Conversation
    from lacuna.ask.opening import open_corpus
    from lacuna.ask.result import Quote, Result
    from lacuna.gap.opening import open_gapqa
    from lacuna.gap.result import GapResult

__all__ = [
    "TASKS",
    "Answer",
    "AnswerKind",
    "Asked",
    "Budget",
    "Choice",
    "Conversation",
    "DialogActs",
    "Document",
    "Evidence",
    "FollowUp",
    "Gap",
    "GapResult",
    "Gold",
    "LacunaError",
    "Link",
    "Prediction",
    "Question",
    "Quote",
    "Result",
    "Role",
    "Section",
    "Span",
    "SupportingFact",
    "Turn",
    "YesNo",
    "__version__",
    "get_task",
    "open_corpus",
    "open_gapqa",
]

_LATER = {
    "Asked": "ask.asking",
    "Budget": "ask.budget",
    "Conversation": "ask.conversation",
    "GapResult": "gap.result",
    "Quote": "ask.result",
    "Result": "ask.result",
    "open_corpus": "ask.opening",
    "open_gapqa": "gap.opening",
}
"""What is loaded when it is first used: asking needs the model's runtime, scoring does not."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'lacuna' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"lacuna.{_LATER[name]}"), name)
    return value
