"""The pipeline: from a question and a partial text to an answer, or to what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from lacuna.ask.answering import decide, decided, weighed
from lacuna.ask.asking import Asked
from lacuna.ask.budget import Budget
from lacuna.ask.case import Case
from lacuna.ask.finding import find_windows
from lacuna.ask.focus import focus
from lacuna.ask.quotes import quotes
from lacuna.ask.reading import read
from lacuna.ask.result import Result
from lacuna.ask.rooms import Rooms
from lacuna.ask.spotting import spot
from lacuna.ask.starting import start
from lacuna.ask.trace import Stage, Told, Watch
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.find.bm25 import Bm25Retriever
from lacuna.find.shelf import Shelf
from lacuna.find.windows import with_sentences
from lacuna.read.reader import Reader
from lacuna.read.style import Style
from lacuna.read.weighing import Weighed
from lacuna.types import AnswerKind

BRIDGE = 4.0
"""A window that the reader finds so relevant is worth going on from, if it does not answer."""

Work = Callable[[Rooms, Sequence[Case]], list[Told]]


class Asker:
    """Answers questions over a corpus; several threads may share one.

    >>> asker = Asker(Store.open(folder), Reader.load())  # doctest: +SKIP
    >>> asker.ask("Who built the ferry?").answer.text  # doctest: +SKIP
    'Ada Quill'
    """

    def __init__(
        self,
        store: Store,
        reader: Reader,
        *,
        budget: Budget = Budget(),  # noqa: B008 - it is frozen
        style: Style = Style.ASK,
    ) -> None:
        self.store = store
        self.reader = reader
        self._rooms = Rooms(store, reader, Shelf(store), Bm25Retriever(store), budget, style)

    def ask(self, asked: Asked | str, *, watch: Watch | None = None) -> Result:
        """One answer; ``watch`` is told of each step when it is done."""
        one = Asked(asked) if isinstance(asked, str) else asked
        (result,) = self._answer_all([self._open(one, watch)])
        return result

    def ask_many(self, asked: Sequence[Asked]) -> list[Result]:
        """The answers to several questions, which share the work of encoding."""
        return self._answer_all([self._open(one, None) for one in asked])

    def weigh_many(self, asked: Sequence[Asked]) -> list[Weighed]:
        """What could be answered, and what speaks for it, before it is decided whether to."""
        cases = [self._open(one, None) for one in asked]
        self._walk(cases)
        return [weighed(self._rooms, case) for case in cases]

    def _open(self, asked: Asked, watch: Watch | None) -> Case:
        if not asked.question.strip():
            raise LacunaError("There is no question. Ask one, in words.")
        case = Case(asked, _query(asked), watch)
        if asked.passage is not None:
            case.passage, case.own = with_sentences(asked.passage), True
        elif asked.title is not None:
            found = self.store.resolve(asked.title)
            if found is None:
                raise self.store.no_such(asked.title)
            case.passage = self._rooms.shelf.document(found).document
        if case.passage is not None:
            case.focus = focus(self._rooms, case.query, case.passage)
        return case

    def _answer_all(self, cases: Sequence[Case]) -> list[Result]:
        self._walk(cases)
        self._do(Stage.ANSWER, decide, cases)
        return [_result(case) for case in cases]

    def _walk(self, cases: Sequence[Case]) -> None:
        self._do(Stage.START, start, [case for case in cases if case.passage is None])
        for hop in range(1, self._rooms.budget.hops + 1):
            going_on = [case for case in cases if self._goes_on(case)]
            for case in going_on:
                case.hop = hop
            self._do(Stage.SPOT, spot, going_on)
            going_on = [case for case in going_on if not case.enough and self._in_time(case)]
            self._do(Stage.FIND, find_windows, going_on)
            self._do(Stage.READ, read, [case for case in going_on if self._in_time(case)])
        self._do(Stage.READ, read, [case for case in cases if case.read is None])

    def _do(self, stage: Stage, work: Work, cases: Sequence[Case]) -> None:
        """One stage for all questions; its time is shared out evenly."""
        if not cases:
            return
        begun = perf_counter()
        told = work(self._rooms, cases)
        each = 1000 * (perf_counter() - begun) / len(cases)
        for case, (said, candidates) in zip(cases, told, strict=True):
            case.done(stage, said, candidates, each)

    def _in_time(self, case: Case) -> bool:
        limit = self._rooms.budget.milliseconds
        return limit is None or case.spent < limit

    def _goes_on(self, case: Case) -> bool:
        """Whether the search goes on: time is left, and a bridge was found but no answer."""
        if case.enough or not self._in_time(case):
            return False
        if case.read is None:
            return True
        answer = decided(self._rooms, case).answer
        return case.relevance > BRIDGE and (answer is None or answer.kind is AnswerKind.NONE)


def _query(asked: Asked) -> str:
    """The words to search with; a follow-up leaves out what its dialog is about."""
    if not asked.history:
        return asked.question
    last = asked.history[-1]
    said = last.answer.text if last.answer and last.answer.kind is AnswerKind.SPAN else ""
    return f"{asked.question} {last.question} {said}".strip()


def _result(case: Case) -> Result:
    assert case.read is not None
    assert case.prediction is not None
    found = quotes(case, case.read, case.prediction)
    return Result(case.asked.question, case.passage, case.prediction, found, tuple(case.steps))
