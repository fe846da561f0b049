"""A talk: questions that lean on what was asked and answered before."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Protocol

from lacuna.corpus.store import Store
from lacuna.pipeline.dialog_places import dialog_places
from lacuna.pipeline.dialog_reading import Reads, read_on
from lacuna.pipeline.follow_up import may_need_calculation, needs_context, rewrite, topic_of
from lacuna.pipeline.people import is_person
from lacuna.pipeline.query import Answerer, Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import OnStep, Stage, Step
from lacuna.types import AnswerKind, DialogActs, Document, Turn, YesNo

YES_NO = {AnswerKind.YES: YesNo.YES, AnswerKind.NO: YesNo.NO}


class AnswersDialogs(Answerer, Protocol):
    """Something that can be asked, and whose model can be asked to read on."""

    @property
    def reader(self) -> Reads:
        """The model."""
        ...


class Dialog:
    """Keeps what was said, of one document, one passage, or a whole corpus.

    >>> talk = Dialog(lacuna.open_corpus())  # doctest: +SKIP
    >>> talk.ask("Who founded the Sandreth Courier?").answer.text  # doctest: +SKIP
    'Perrin Cobb'
    >>> talk.ask("When was he born?").answer.text  # doctest: +SKIP
    '4 May 1829'
    """

    def __init__(
        self, asks: AnswersDialogs, *, title: str | None = None, context: Document | None = None
    ) -> None:
        self._asks = asks
        self._title = None if title is None else asks.store.resolve(title)
        if title is not None and self._title is None:
            raise asks.store.no_such(title)
        self._context = context
        self.results: list[Result] = []

    @property
    def history(self) -> tuple[Turn, ...]:
        """What was asked and answered so far."""
        return tuple(
            Turn(result.question, result.answer, result.prediction.acts) for result in self.results
        )

    def ask(self, question: str, *, on_step: OnStep | None = None) -> Result:
        """The answer, in the light of what was said before."""
        asked = Query(question, self._context, self._title, self.history)
        result = go_on(self._asks, asked, on_step=on_step)
        self.results.append(result)
        return result


def go_on(asks: AnswersDialogs, asked: Query, *, on_step: OnStep | None = None) -> Result:
    """One turn; ``asked.history`` is all that needs to be known of the talk.

    A question that needs context is read where the dialog is; where nothing there answers
    it, it is asked anew with the topic in the place of its pronoun. Other questions, and those that
    ask for a calculation, go the other way round.
    """
    topic = dialog_topic(asks.store, asked)
    steps: list[Step] = []

    def tell(step: Step) -> None:
        steps.append(step)
        if on_step is not None:
            on_step(step)

    def here() -> Result | None:
        found = read_on(asks.reader, asked, dialog_places(asks.store, asked, topic))
        if found is not None:
            tell(found.steps[-1])
        return found

    def everywhere(question: str) -> Result:
        if question != asked.question:
            tell(Step(Stage.START, 0, f"It was understood as: {question}", (), 0.0))
        return asks.ask(replace(asked, question=question, history=()), on_step=tell)

    question = asked.question
    plain = rewrite(question, topic) if topic and needs_context(question) else question
    if needs_context(question) and not may_need_calculation(question):
        near = here()
        if near is not None and (plain == question or not _none(near)):
            best = near
        else:
            best = everywhere(plain)
            elsewhere = not any(quote.document == topic for quote in best.quotes)
            if near is not None and elsewhere and not _none(best) and _sure(near) > _sure(best):
                best = near  # surer that there is no answer than the pipeline is of its own
    else:
        best = everywhere(plain)
        near = here() if _none(best) else None
        if near is not None and not _none(near):
            best = near
    prediction = replace(best.prediction, acts=_acts(best, near))
    return replace(best, question=question, prediction=prediction, steps=tuple(steps))


class DialogPipeline:
    """Answers a first question by itself, and later ones in the light of their dialog."""

    def __init__(self, pipeline: AnswersDialogs) -> None:
        self._pipeline = pipeline

    @property
    def store(self) -> Store:
        """The corpus."""
        return self._pipeline.store

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` is called with each step when it is done."""
        if query.history:
            return go_on(self._pipeline, query, on_step=on_step)
        return self._pipeline.ask(query, on_step=on_step)


def dialog_topic(store: Store, asked: Query) -> str:
    """The name that a question is about, after what was said before it; "" if there is none."""
    title = (store.resolve(asked.title) if asked.title else None) or ""
    person = partial(is_person, store)
    return topic_of(asked.question, asked.history, title, store.__contains__, person)


def _acts(best: Result, near: Result | None) -> DialogActs | None:
    """What the reading said that gave the answer; whether to ask on is known from either."""
    if best.prediction.acts is not None or near is None or near.prediction.acts is None:
        return best.prediction.acts
    return DialogActs(YES_NO.get(best.answer.kind), near.prediction.acts.follow_up)


def _sure(result: Result) -> float:
    return result.prediction.confidence or 0.0


def _none(result: Result) -> bool:
    return result.answer.kind is AnswerKind.NONE
