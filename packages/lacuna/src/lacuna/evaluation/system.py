"""The interface of systems, and readers, networks and dialogs as systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Protocol, TypeVar

from lacuna.datasets.base import AnswerTrace, ChoiceTrace, Setting
from lacuna.metrics.metric import Metric
from lacuna.models.registry import Reader
from lacuna.types import Prediction, Question, Turn

if TYPE_CHECKING:
    from lacuna.pipeline.gapqa import ChoiceResult, FillsGaps
    from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase


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
        """Its name in tables."""
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
        """Give each question what the dataset's scorer takes for an abstention."""
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


CHUNK = 512
"""Questions (or dialogs) that are in memory at a time: enough to sort by length and batch well."""


class ReaderSystem:
    """Reads what a setting puts before it, dialogs turn by turn where it must."""

    def __init__(self, reader: Reader, name: str = "reader") -> None:
        self.name = name
        self.reader = reader
        self.at_once = min(CHUNK, max(AT_ONCE, getattr(reader, "at_once", AT_ONCE)))
        """The best number of questions to ask together; fewer would be slower."""

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        count = running_total(progress)
        predictions: dict[str, Prediction] = {}
        if setting.predicted_history:
            for dialogs in chunks(dialogs_of(questions), CHUNK):
                predictions |= self._converse(dialogs, setting, count)
            return predictions
        for chunk in chunks(questions, CHUNK):
            answers = self.reader.read(chunk, mode=setting.mode, progress=count)
            predictions |= zip((question.id for question in chunk), answers, strict=True)
        return predictions

    def _converse(
        self, dialogs: Sequence[Sequence[Question]], setting: Setting, count: Progress
    ) -> dict[str, Prediction]:
        """All first turns together, then all second ones with the answers to the first, …"""
        answered: list[dict[int, Prediction]] = [{} for _ in dialogs]
        for turn in range(max(map(len, dialogs))):
            numbers = [number for number, dialog in enumerate(dialogs) if turn < len(dialog)]
            asked = [_with_answers(dialogs[number][turn], answered[number]) for number in numbers]
            predictions = self.reader.read(asked, mode=setting.mode, progress=count)
            for number, question, prediction in zip(numbers, asked, predictions, strict=True):
                answered[number][len(question.history)] = prediction
        return {
            question.id: answered[number][len(question.history)]
            for number, dialog in enumerate(dialogs)
            for question in dialog
        }


def running_total(progress: Progress | None) -> Progress:
    """A reader says how many more questions are done; ``progress`` gets how many by then."""
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done)

    return count


def _with_answers(question: Question, answered: dict[int, Prediction]) -> Question:
    """The question with the predictions for earlier turns as its history."""
    history = (
        Turn(turn.question, answered[number].answer, answered[number].acts)
        if number in answered
        else turn
        for number, turn in enumerate(question.history)
    )
    return replace(question, history=tuple(history))


def dialogs_of(questions: Iterable[Question]) -> Iterator[list[Question]]:
    """Questions that follow each other in one dialog; a history that does not grow begins one."""
    dialog: list[Question] = []
    for question in questions:
        if dialog:
            last = dialog[-1]
            grows = len(question.history) > len(last.history)
            if not grows or question.context != last.context:
                yield dialog
                dialog = []
        dialog.append(question)
    if dialog:
        yield dialog


def read_arranged(
    reader: Reader,
    questions: Iterable[Question],
    arrange: Callable[[Question], Question],
    *,
    setting: Setting,
    progress: Progress | None,
) -> dict[str, Prediction]:
    """The predictions by id, in the order of the questions, each read as it was arranged."""
    predictions: dict[str, Prediction] = {}
    for chunk in chunks(questions, AT_ONCE):
        answers = reader.read([arrange(question) for question in chunk], mode=setting.mode)
        predictions |= zip((question.id for question in chunk), answers, strict=True)
        if progress is not None:
            progress(len(predictions))
    return predictions


class KnownChoicesSystem:
    """Looks up each choice, then reads; ``base`` has been narrowed to what may be found."""

    def __init__(self, base: KnowledgeBase, reader: Reader, name: str) -> None:
        self.name = name
        self._base, self._reader = base, reader

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        from lacuna.models.gapqa.rows import with_known_choices  # brings the text index

        return read_arranged(
            self._reader,
            questions,
            partial(with_known_choices, self._base),
            setting=setting,
            progress=progress,
        )


DATASET, SETTING = "openbookqa", "core-fact"
"""The dataset and setting that GapQA is made for: without a core fact, there is no gap to name."""
QUESTIONS_AT_ONCE = 64
"""Questions that are asked together."""


class GapQASystem:
    """Asks GapQA's pipeline; each question needs a core fact and choices."""

    at_once = QUESTIONS_AT_ONCE

    def __init__(self, pipeline: FillsGaps, name: str = "gapqa") -> None:
        self.name = name
        self.pipeline = pipeline

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        results = self.ask(questions, progress=progress)
        return {question.id: result.prediction for question, result in results}

    def ask(
        self, questions: Iterable[Question], *, progress: Progress | None = None
    ) -> Iterator[tuple[Question, ChoiceResult]]:
        """Each question with its result."""
        done = 0
        for chunk in chunks(questions, QUESTIONS_AT_ONCE):
            yield from zip(chunk, self.pipeline.ask_many(chunk), strict=True)
            done += len(chunk)
            if progress is not None:
                progress(done)


def trace_of_choices(result: ChoiceResult) -> AnswerTrace:
    """The model's scores of each choice, as a trace."""
    return AnswerTrace(
        choices=tuple(
            ChoiceTrace(
                scored.choice.label,
                scored.fact_score,
                scored.relation_score,
                bool(scored.knowledge),
            )
            for scored in result.choices
        )
    )


def core_facts(questions: Iterable[Question]) -> list[str]:
    """The fact of every question; the first that GapQA cannot be asked is refused.

    So a whole file is checked before a model spends its time on half of it.
    """
    from lacuna.pipeline.gapqa import check_choices  # brings the text index

    facts = []
    for question in questions:
        check_choices(question)
        facts.append(question.fact or "")
    return facts
