"""The pipeline: from a question and a partial text to an answer, or to what is missing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from time import perf_counter

from lacuna.answers import AnswerMode
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.models.calibration import AnswerScorer
from lacuna.models.reader.reader import ModelReader, ScoredAnswer
from lacuna.models.registry import Reader, is_measured, part_read_by
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.lookups import (
    across,
    bridge_lookup,
    bridges,
    chains,
    combined,
    two_lookups,
)
from lacuna.pipeline.query import Query, check_length
from lacuna.pipeline.rating import ConsideredAnswer, chooses, considered_answers, rated_answers
from lacuna.pipeline.result import ALTERNATIVES, Alternative, OnStep, Result, Stage, Step
from lacuna.pipeline.second_look import asks_for_it, second_reader
from lacuna.pipeline.small_talk import advice_on, advised
from lacuna.pipeline.stages import (
    answer,
    best_answer,
    find,
    focus_on,
    quotes_for,
    read,
    spot,
    start,
)
from lacuna.pipeline.state import Components, PipelineReader, PlainReader, QuestionState
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.registry import Retriever
from lacuna.retrieve.windows import WindowIndex, with_sentences
from lacuna.types import AnswerKind, Prediction

StageWork = Callable[[Components, Sequence[QuestionState]], None]
STAGES: dict[Stage, StageWork] = {
    Stage.START: start,
    Stage.SPOT: spot,
    Stage.FIND: find,
    Stage.READ: read,
    Stage.ANSWER: answer,
}


class Pipeline:
    """Answers questions over a corpus; several threads may share one.

    Any reader and any retriever will do; without them, the shipped model reads and BM25 searches.

    >>> import lacuna
    >>> islands = lacuna.open_corpus()
    >>> islands.ask("Who was the first governor of the Bank of Selmory?").answer.text
    'Idony Cress'
    """

    def __init__(
        self,
        store: Store,
        reader: Reader | None = None,
        *,
        retriever: Retriever | None = None,
        config: PipelineConfig = PipelineConfig(),  # noqa: B008 - it is frozen
        mode: AnswerMode = AnswerMode.ASK,
    ) -> None:
        self.store = store
        self.reader = reader = reader or ModelReader.load()
        windows = WindowIndex(store)
        self._measured, self._part_read = is_measured(reader), part_read_by(reader)
        able = reader if isinstance(reader, PipelineReader) else PlainReader(reader, windows)
        searcher = retriever or Bm25Retriever(store)
        scorer = able.answer_scorer(mode)
        second = second_reader(reader, config) if asks_for_it(scorer) else None
        self._components = Components(store, able, windows, searcher, config, mode, scorer, second)

    @property
    def config(self) -> PipelineConfig:
        """The numbers that it goes by."""
        return self._components.config

    def ask(self, query: Query | str, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` gets each step when it is done."""
        asked = Query(query) if isinstance(query, str) else query
        check_length(asked.question)
        part = self._part_read(asked.question)
        if part != asked.question:
            return self._ask_in_part(asked, part, on_step)
        if advice := advice_on(asked.question, self.reader):
            return advised(asked, advice, self._open(asked, None).context, self._components)
        if asked.is_limited:
            return self._limited(asked).ask(
                replace(asked, hops=None, windows=None), on_step=on_step
            )
        (result,) = self._answer_all([self._open(asked, on_step)])
        return self._looked_up(asked, result, on_step)

    def _ask_in_part(self, asked: Query, part: str, on_step: OnStep | None) -> Result:
        """The answer to the part of a long question that is read; which one is told."""
        step = Step(Stage.START, 0, f"It is long; this part of it was read: {part}", (), 0.0)
        if on_step is not None:
            on_step(step)
        result = self.ask(replace(asked, question=part), on_step=on_step)
        steps = (step, *result.steps)
        return replace(result, question=asked.question, read_as=part, steps=steps)

    def ask_many(self, queries: Sequence[Query]) -> list[Result]:
        """The answers to several questions, which share the work of encoding."""
        if any(query.is_limited for query in queries):
            return [self.ask(query) for query in queries]
        results = self._answer_all([self._open(query, None) for query in queries])
        pairs = zip(queries, results, strict=True)
        return [self._looked_up(query, result, None) for query, result in pairs]

    def score_many(self, queries: Sequence[Query]) -> list[ScoredAnswer]:
        """What could be answered, and what speaks for it, before it is decided whether to."""
        states = [self._open(query, None) for query in queries]
        self._find_and_read(states, self._components)
        return [best_answer(self._components, state) for state in states]

    def considered_many(self, queries: Sequence[Query]) -> list[list[ConsideredAnswer]]:
        """All answers that were read, with the features that an answer scorer goes by.

        All passages that were found are read. The search goes on to other documents where it does
        so when somebody asks: a scorer is to be fitted on what it will choose from.
        """
        scorer = self._components.scorer or AnswerScorer({"margin": 1.0}, 0.0)
        config = replace(self.config, sure_enough=math.inf)
        second = second_reader(self.reader, config)
        everything = replace(self._components, scorer=scorer, config=config, second=second)
        states = [self._open(query, None) for query in queries]
        self._find_and_read(states, everything)
        return [considered_answers(everything, state) for state in states]

    def _limited(self, query: Query) -> Pipeline:
        """The same pipeline with the limits of one question."""
        limited = copy(self)
        config = self.config.limited(hops=query.hops, windows=query.windows)
        limited._components = replace(self._components, config=config)
        return limited

    def _open(self, query: Query, on_step: OnStep | None) -> QuestionState:
        """The state of a question that nothing is known of but what it is asked of."""
        if not query.question.strip():
            raise LacunaError("There is no question. Ask one, in words.")
        state = QuestionState(query, on_step)
        if query.context is not None:
            state.context, state.is_own = with_sentences(query.context), True
        elif query.title is not None:
            title = self.store.resolve(query.title)
            if title is None:
                raise self.store.no_such(query.title)
            state.context = self._components.windows.document(title).document
        if state.context is not None:
            state.focus = focus_on(self._components, state.search_text, state.context)
        return state

    def _looked_up(self, asked: Query, result: Result, on_step: OnStep | None) -> Result:
        """The result, or what two simpler questions make together where that is likelier."""
        if self._components.scorer is None or asked.context or asked.title:
            return result
        limit, least = self.config.milliseconds, self.config.probable_from
        if limit is not None and result.milliseconds >= limit:
            return result
        if lookups := two_lookups(asked.question):
            first, second = self._look_up((lookups.first, lookups.second), on_step)
            better = combined(result, lookups, first, second, least=least)
        elif bridge := bridge_lookup(asked.question):
            (which,) = self._look_up((bridge.which,), on_step)
            named = bridges(which)
            found = chains(
                bridge, named, lambda about: self._look_up((about,), on_step)[0], least=least
            )
            better = across(result, bridge, named, list(found), least=least)
        else:
            return result
        if on_step is not None:
            on_step(better.steps[-1])
        return better

    def _look_up(self, questions: Sequence[str], on_step: OnStep | None) -> list[Result]:
        """The answers to simpler questions, asked of the whole corpus."""
        return self._answer_all([self._open(Query(one), on_step) for one in questions])

    def _answer_all(self, states: Sequence[QuestionState]) -> list[Result]:
        self._find_and_read(states, self._components)
        self._run(Stage.ANSWER, states, self._components)
        return [self._result(state) for state in states]

    def _find_and_read(self, states: Sequence[QuestionState], with_: Components) -> None:
        self._run(Stage.START, [state for state in states if state.context is None], with_)
        for hop in range(1, with_.config.hops + 1):
            open_states = [state for state in states if _goes_on(with_, state)]
            for state in open_states:
                state.hop = hop
            self._run(Stage.SPOT, open_states, with_)
            open_states = [
                state
                for state in open_states
                if not state.answered_alone and _in_time(with_, state)
            ]
            self._run(Stage.FIND, open_states, with_)
            self._run(Stage.READ, [state for state in open_states if _in_time(with_, state)], with_)
        self._run(Stage.READ, [state for state in states if not state.readings], with_)

    def _run(self, stage: Stage, states: Sequence[QuestionState], with_: Components) -> None:
        """One stage for all questions; its time is shared out evenly."""
        for parts, some in _by_mode(stage, with_, states):
            begun = perf_counter()
            STAGES[stage](parts, some)
            each = 1000 * (perf_counter() - begun) / len(some)
            for state in some:
                state.finish_step(stage, each)

    def _result(self, state: QuestionState) -> Result:
        prediction = state.prediction
        assert prediction is not None
        quotes = quotes_for(state, state.reading, prediction) if state.reading else ()
        return Result(
            state.query.question,
            state.context,
            prediction,
            quotes,
            tuple(state.steps),
            measured=self._measured,
            min_confidence=self.config.min_confidence,
            alternatives=_alternatives(state, prediction),
        )


TOGETHER = (Stage.SPOT, Stage.READ)
"""The stages in which a context is read with its links, or with other texts."""


def _by_mode(
    stage: Stage, with_: Components, states: Sequence[QuestionState]
) -> Iterator[tuple[Components, list[QuestionState]]]:
    """The questions of each answer mode: a passage that a search found is read as such."""
    found = with_.mode is AnswerMode.ASK and stage not in TOGETHER
    searched = [state for state in states if found and chooses(with_, state)]
    if searched:
        yield replace(with_, mode=AnswerMode.FOUND), searched
    others = [state for state in states if not (found and chooses(with_, state))]
    if others:
        yield with_, others


def _in_time(components: Components, state: QuestionState) -> bool:
    limit = components.config.milliseconds
    return limit is None or state.milliseconds < limit


def _goes_on(components: Components, state: QuestionState) -> bool:
    """Whether the search goes on: time is left, and a bridge was found but no answer."""
    if state.answered_alone or not _in_time(components, state):
        return False
    if state.reading is None:  # nothing was read together yet
        return not (state.readings and _is_answered(components, state))
    if state.best_relevance <= components.config.bridge_relevance:
        return False
    return not _is_answered(components, state)


def _is_answered(components: Components, state: QuestionState) -> bool:
    if chooses(components, state):
        rated = rated_answers(components, state)
        return bool(rated) and rated[0].probability >= components.config.stop_from
    decided = best_answer(components, state).decide(components.tuning).answer
    return decided is not None and decided.kind is not AnswerKind.NONE


def _alternatives(state: QuestionState, given: Prediction) -> tuple[Alternative, ...]:
    others = [rated for rated in state.rated if rated.prediction.answer is not given.answer]
    return tuple(
        Alternative(
            rated.answer, rated.probability, quotes_for(state, rated.reading, rated.prediction)
        )
        for rated in others[:ALTERNATIVES]
    )
