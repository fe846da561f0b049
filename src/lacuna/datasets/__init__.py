"""The datasets, by name."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lacuna.errors import LacunaError

if TYPE_CHECKING:
    from lacuna.datasets.base import Dataset

CLASSES = {
    "iirc": "IIRC",
    "hotpotqa": "HotpotQA",
    "openbookqa": "OpenBookQA",
    "quac": "QuAC",
    "squad": "SQuAD",
    "drop": "DROP",
}
DATASETS = tuple(CLASSES)


@cache
def get_dataset(name: str) -> Dataset:
    """The dataset of that name.

    >>> get_dataset("quac").name
    'quac'
    """
    if name not in CLASSES:
        close = get_close_matches(name.casefold(), DATASETS, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise LacunaError(f"There is no task {name!r}.{hint} The tasks are {', '.join(DATASETS)}.")
    task: Dataset = getattr(import_module(f"lacuna.datasets.{name}.dataset"), CLASSES[name])()
    return task


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
    # Each dataset's own form first: IIRC is scored in DROP's.
    for which in (0, 1):
        for candidate in candidates:
            for name in DATASETS:
                if any(form.looks_like(candidate) for form in get_dataset(name).forms[which:][:1]):
                    return name
    return None
