"""The official scorers, by the name of their dataset."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lacuna.datasets import get_dataset

if TYPE_CHECKING:
    from lacuna.metrics.metric import Metric

CLASSES = {
    "iirc": "IIRCMetric",
    "hotpotqa": "HotpotQAMetric",
    "openbookqa": "OpenBookQAMetric",
    "quac": "QuacMetric",
    "squad": "SquadMetric",
    "drop": "DropMetric",
}


def get_metric(task: str, **options: Any) -> Metric:
    """The official scorer of a dataset; ``options`` are the scorer's own."""
    name = get_dataset(task).name  # an unknown task gets its clear error
    metric: Metric = getattr(import_module(f"lacuna.datasets.{name}.metric"), CLASSES[name])(
        **options
    )
    return metric
