"""The pipeline: from a question and a partial text to an answer, or to what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from lacuna.answer_mode import AnswerMode
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.models.reader.reader import ModelReader
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.answer import decide, decided, weighed
from lacuna.pipeline.components import Components
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.find import find_windows
from lacuna.pipeline.focus import focus
from lacuna.pipeline.query import Query
from lacuna.pipeline.quotes import quotes
from lacuna.pipeline.read import read
from lacuna.pipeline.result import Result
from lacuna.pipeline.spot import spot
from lacuna.pipeline.start import start
from lacuna.pipeline.state import QuestionState
from lacuna.pipeline.trace import OnStep, Stage, Told
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.window_index import WindowIndex
from lacuna.retrieve.windows import with_sentences
from lacuna.types import AnswerKind

BRIDGE = 4.0
"""A window that the reader finds so relevant is worth going on from, if it does not answer."""

Work = Callable[[Components, Sequence[QuestionState]], list[Told]]


class Pipeline:
    """Answers questions over a corpus; several threads may share one.

    >>> pipeline = Pipeline(Store.open(folder), ModelReader.load())  # doctest: +SKIP
    >>> pipeline.ask("Who built the ferry?").answer.text  # doctest: +SKIP
    'Ada Quill'
    """

    def __init__(
        self,
        store: Store,
        reader: ModelReader,
        *,
        config: PipelineConfig = PipelineConfig(),  # noqa: B008 - it is frozen
        mode: AnswerMode = AnswerMode.ASK,
    ) -> None:
        self.store = store
        self.reader = reader
        self._components = Components(
            store, reader, WindowIndex(store), Bm25Retriever(store), config, mode
        )

    def ask(self, asked: Query | str, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` is told of each step when it is done."""
        one = Query(asked) if isinstance(asked, str) else asked
        (result,) = self._answer_all([self._open(one, on_step)])
        return result

    def ask_many(self, asked: Sequence[Query]) -> list[Result]:
        """The answers to several questions, which share the work of encoding."""
        return self._answer_all([self._open(one, None) for one in asked])

    def score_many(self, asked: Sequence[Query]) -> list[ScoredAnswer]:
        """What could be answered, and what speaks for it, before it is decided whether to."""
        states = [self._open(one, None) for one in asked]
        self._walk(states)
        return [weighed(self._components, state) for state in states]

    def _open(self, asked: Query, on_step: OnStep | None) -> QuestionState:
        if not asked.question.strip():
            raise LacunaError("There is no question. Ask one, in words.")
        state = QuestionState(asked, _query(asked), on_step)
        if asked.context is not None:
            state.context, state.own = with_sentences(asked.context), True
        elif asked.title is not None:
            found = self.store.resolve(asked.title)
            if found is None:
                raise self.store.no_such(asked.title)
            state.context = self._components.windows.document(found).document
        if state.context is not None:
            state.focus = focus(self._components, state.query, state.context)
        return state

    def _answer_all(self, states: Sequence[QuestionState]) -> list[Result]:
        self._walk(states)
        self._do(Stage.ANSWER, decide, states)
        return [_result(state) for state in states]

    def _walk(self, states: Sequence[QuestionState]) -> None:
        self._do(Stage.START, start, [state for state in states if state.context is None])
        for hop in range(1, self._components.config.hops + 1):
            going_on = [state for state in states if self._goes_on(state)]
            for state in going_on:
                state.hop = hop
            self._do(Stage.SPOT, spot, going_on)
            going_on = [state for state in going_on if not state.enough and self._in_time(state)]
            self._do(Stage.FIND, find_windows, going_on)
            self._do(Stage.READ, read, [state for state in going_on if self._in_time(state)])
        self._do(Stage.READ, read, [state for state in states if state.read is None])

    def _do(self, stage: Stage, work: Work, states: Sequence[QuestionState]) -> None:
        """One stage for all questions; its time is shared out evenly."""
        if not states:
            return
        begun = perf_counter()
        told = work(self._components, states)
        each = 1000 * (perf_counter() - begun) / len(states)
        for state, (said, candidates) in zip(states, told, strict=True):
            state.done(stage, said, candidates, each)

    def _in_time(self, state: QuestionState) -> bool:
        limit = self._components.config.milliseconds
        return limit is None or state.spent < limit

    def _goes_on(self, state: QuestionState) -> bool:
        """Whether the search goes on: time is left, and a bridge was found but no answer."""
        if state.enough or not self._in_time(state):
            return False
        if state.read is None:
            return True
        answer = decided(self._components, state).answer
        return state.relevance > BRIDGE and (answer is None or answer.kind is AnswerKind.NONE)


def _query(asked: Query) -> str:
    """The words to search with; a follow-up leaves out what its dialog is about."""
    if not asked.history:
        return asked.question
    last = asked.history[-1]
    said = last.answer.text if last.answer and last.answer.kind is AnswerKind.SPAN else ""
    return f"{asked.question} {last.question} {said}".strip()


def _result(state: QuestionState) -> Result:
    assert state.read is not None
    assert state.prediction is not None
    found = quotes(state, state.read, state.prediction)
    return Result(state.asked.question, state.context, state.prediction, found, tuple(state.steps))
