"""What a system is: anything with a name that answers the questions of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import islice
from typing import Protocol, TypeVar

from lacuna.datasets.setting import Setting
from lacuna.metrics.metric import Metric
from lacuna.types import Prediction, Question

T = TypeVar("T")
AT_ONCE = 32
"""Questions that are asked, and kept, together, unless a system's ``at_once`` says how many."""
Progress = Callable[[int], None]
"""Called with the number of questions that are done so far."""
ShowProgress = Callable[[str, int], AbstractContextManager[Progress]]
"""Opened with a label and a total for each system; gives what is called while it works."""


def silent(label: str, total: int) -> AbstractContextManager[Progress]:
    """Show no progress."""
    return nullcontext(lambda done: None)


def after(done: int, progress: Progress | None) -> Progress | None:
    """Progress that goes on from what was done before."""
    return None if progress is None else partial(_report, done, progress)


def _report(done: int, progress: Progress, more: int) -> None:
    progress(done + more)


class System(Protocol):
    """Answers all questions of a file in one setting of their dataset.

    A system of one's own needs nothing else:

    >>> from lacuna.types import Answer
    >>> class Yes:
    ...     name = "always yes"
    ...
    ...     def predict(self, questions, *, setting, progress=None):
    ...         return {question.id: Prediction(Answer.yes()) for question in questions}
    """

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> Mapping[str, Prediction]:
        """The predictions by the ids of the questions; a question without one counts as wrong.

        The questions are arranged as the setting says, without their gold. They can be iterated
        over more than once.
        """
        ...


class AbstainingSystem:
    """Never answers: the floor that every other system should be above."""

    def __init__(self, metric: Metric, name: str = "abstain") -> None:
        self.name = name
        self._metric = metric

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """What the dataset's scorer takes for an abstention."""
        return {question.id: self._metric.abstention(question) for question in questions}


def as_list(given: T | str | Sequence[T | str]) -> list[T | str]:
    """Several things, or the only one; a name is one thing.

    >>> as_list("reader"), as_list(["reader", "gapqa"])
    (['reader'], ['reader', 'gapqa'])
    """
    if isinstance(given, str) or not isinstance(given, Sequence):
        return [given]
    return list(given)


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in lists of that size; the last may be shorter.

    >>> list(chunks("abc", 2))
    [['a', 'b'], ['c']]
    """
    source = iter(items)
    while chunk := list(islice(source, size)):
        yield chunk
