"""Lacuna answers questions that the text at hand only partly answers."""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lacuna.datasets import DATASETS, get_dataset
from lacuna.errors import LacunaError
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
    from lacuna.evaluation.experiment import Experiment, evaluate
    from lacuna.evaluation.retrieval import evaluate_retrieval
    from lacuna.metrics.comparison import ComparisonTable
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.dialog.conversation import Conversation
    from lacuna.pipeline.gapqa import open_gapqa
    from lacuna.pipeline.open_corpus import open_corpus
    from lacuna.pipeline.pipeline import Pipeline
    from lacuna.pipeline.query import Query
    from lacuna.pipeline.result import Alternative, Degree, Quote, Result


# Native libraries report to their makers unless told not to before they are loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"

__all__ = [
    "DATASETS",
    "Alternative",
    "Answer",
    "AnswerKind",
    "Choice",
    "ComparisonTable",
    "Conversation",
    "Degree",
    "DialogActs",
    "Document",
    "Evidence",
    "Experiment",
    "FollowUp",
    "Gap",
    "Gold",
    "LacunaError",
    "Link",
    "Pipeline",
    "PipelineConfig",
    "Prediction",
    "Query",
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
    "evaluate",
    "evaluate_retrieval",
    "get_dataset",
    "open_corpus",
    "open_gapqa",
]

_LATER = {
    "ComparisonTable": "metrics.comparison",
    "Experiment": "evaluation.experiment",
    "evaluate": "evaluation.experiment",
    "evaluate_retrieval": "evaluation.retrieval",
    "Query": "pipeline.query",
    "Pipeline": "pipeline.pipeline",
    "PipelineConfig": "pipeline.config",
    "Conversation": "pipeline.dialog.conversation",
    "Alternative": "pipeline.result",
    "Degree": "pipeline.result",
    "Quote": "pipeline.result",
    "Result": "pipeline.result",
    "open_corpus": "pipeline.open_corpus",
    "open_gapqa": "pipeline.gapqa",
}
"""Names that are loaded when they are first used: asking needs the model's runtime, scoring does
not."""


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'lacuna' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"lacuna.{_LATER[name]}"), name)
    return value
