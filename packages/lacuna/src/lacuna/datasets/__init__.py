"""The datasets, by name: those of this folder, and those that other packages offer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lacuna.errors import LacunaError, no_such

if TYPE_CHECKING:
    from lacuna.datasets.base import Dataset


BUILT_IN = {
    "iirc": "IIRC",
    "hotpotqa": "HotpotQA",
    "openbookqa": "OpenBookQA",
    "quac": "QuAC",
    "squad": "SQuAD",
    "drop": "DROP",
    "real": "RealQuestions",
}
"""The folders of this package that hold a dataset, each with the name of its class."""
DATASETS = tuple(BUILT_IN)


def dataset_names() -> tuple[str, ...]:
    """The datasets of Lacuna, then those of other packages (entry points ``lacuna.datasets``)."""
    from lacuna.plugins import PluginGroup, plugin_names

    others = (name for name in plugin_names(PluginGroup.DATASETS) if name not in BUILT_IN)
    return (*DATASETS, *others)


@cache
def get_dataset(name: str) -> Dataset:
    """The dataset of that name.

    >>> get_dataset("quac").name
    'quac'
    """
    if name in BUILT_IN:
        dataset: Dataset = getattr(import_module(f"lacuna.datasets.{name}"), BUILT_IN[name])()
        return dataset
    from lacuna.plugins import PluginGroup, load_plugin

    offered = load_plugin(PluginGroup.DATASETS, name)
    if offered is None:
        raise no_such("dataset", name, dataset_names())
    return _opened(offered, name)


def _opened(offered: Any, name: str) -> Dataset:
    """The dataset that a package offers under that name, if it is a dataset indeed."""
    from lacuna.datasets.base import Dataset

    try:
        if not (isinstance(offered, type) and issubclass(offered, Dataset)):
            raise TypeError(f"{offered!r} is no subclass of lacuna.datasets.base.Dataset")
        dataset = offered()
        if dataset.name != name:
            raise ValueError(f"its own name is {dataset.name!r}")
        if not dataset.forms or not dataset.settings:
            raise ValueError("it has no form or no setting")
    except Exception as problem:  # whatever goes wrong there, it is that package's
        raise LacunaError(
            f"What a package offers as the dataset {name!r} cannot be used: {problem}. Mend or "
            "remove that package."
        ) from problem
    return dataset


def every_dataset() -> Iterator[Dataset]:
    """All datasets, except for those of other packages that cannot be used."""
    for name in dataset_names():
        try:
            yield get_dataset(name)
        except LacunaError:
            if name in BUILT_IN:
                raise


def dataset_that_looks_like(value: Any) -> str | None:
    """The dataset that an element of a file seems to come from.

    The element may be the whole file, where its shape was not recognised.
    """
    candidates = [value]
    if isinstance(value, dict):
        if isinstance(inner := value.get("data"), list):
            candidates += inner[:1]
        candidates += list(value.values())[:1]
    candidates = [candidate for candidate in candidates if isinstance(candidate, dict)]
    datasets = list(every_dataset())
    # Each dataset's own form first: IIRC is scored in DROP's.
    for which in (0, 1):
        for candidate in candidates:
            for dataset in datasets:
                if any(form.looks_like(candidate) for form in dataset.forms[which:][:1]):
                    return dataset.name
    return None
