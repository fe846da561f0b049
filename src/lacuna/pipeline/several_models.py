"""Several models over one corpus: each question says which of them is to answer it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError, shown
from lacuna.pipeline.query import Answerer, Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import OnStep


class SeveralModels:
    """Answers with the model that a question names, or else with the first."""

    def __init__(self, answerers: Mapping[str, Answerer]) -> None:
        self._answerers = answerers
        self._first = next(iter(answerers.values()))

    @property
    def store(self) -> Store:
        """The corpus, which all of them share."""
        return self._first.store

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` gets each step when it is done."""
        answerer = self._first if query.model is None else self._answerers[query.model]
        return answerer.ask(query, on_step=on_step)


def names_of_models(models: Sequence[str]) -> list[str]:
    """What people choose them by; of a folder its name alone, which tells nobody where it lies.

    >>> names_of_models(["small", "./runs/our-own", "llm:qwen"])
    ['small', 'our-own', 'llm:qwen']
    """
    names = [Path(model).name if model.startswith((".", "~", "/")) else model for model in models]
    if len(set(names)) < len(names):
        raise LacunaError(
            f"Two of these models have the same name: {', '.join(names)}. Give each once, from "
            "folders with different names."
        )
    return names


def check_model(model: str | None, models: Sequence[str]) -> None:
    """Raise if a question names a model that is not there."""
    if model is not None and model not in models:
        there = ", ".join(models) or "one that has no name"
        raise LacunaError(f"There is no model {shown(model)} here. There is: {there}.")
