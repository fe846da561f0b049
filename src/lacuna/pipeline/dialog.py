"""A dialog: questions that build on what was asked and answered before."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Protocol

from lacuna.corpus.store import Store
from lacuna.models.protocol import Reader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.dialog_reading import dialog_texts, read_in_dialog
from lacuna.pipeline.follow_up import (
    is_person,
    may_need_calculation,
    needs_context,
    rewrite,
    topic_of,
)
from lacuna.pipeline.query import Answerer, Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import OnStep, Stage, Step
from lacuna.types import AnswerKind, DialogActs, Document, Turn, YesNo

YES_NO = {AnswerKind.YES: YesNo.YES, AnswerKind.NO: YesNo.NO}


class DialogAnswerer(Answerer, Protocol):
    """Answers questions, and lets its reader be asked about the documents of a dialog."""

    @property
    def reader(self) -> Reader:
        """The reader."""
        ...

    @property
    def config(self) -> PipelineConfig:
        """The numbers that it goes by."""
        ...


class Conversation:
    """Keeps what was asked and answered, of one document, one context, or a whole corpus.

    >>> import lacuna
    >>> dialog = Conversation(lacuna.open_corpus())
    >>> dialog.ask("Who founded the Sandreth Courier?").answer.text
    'Perrin Cobb'
    >>> dialog.ask("When was he born?").answer.text
    '28 March 1840'
    """

    def __init__(
        self,
        answerer: DialogAnswerer,
        *,
        title: str | None = None,
        context: Document | None = None,
    ) -> None:
        self._answerer = answerer
        self._title = None if title is None else answerer.store.resolve(title)
        if title is not None and self._title is None:
            raise answerer.store.no_such(title)
        self._context = context
        self.results: list[Result] = []

    @property
    def history(self) -> tuple[Turn, ...]:
        """What was asked and answered so far."""
        return tuple(
            Turn(result.question, result.answer, result.prediction.acts) for result in self.results
        )

    def ask(self, question: str, *, on_step: OnStep | None = None) -> Result:
        """The answer, in the light of the turns before."""
        query = Query(question, self._context, self._title, self.history)
        result = ask_in_dialog(self._answerer, query, on_step=on_step)
        self.results.append(result)
        return result


def ask_in_dialog(
    answerer: DialogAnswerer, query: Query, *, on_step: OnStep | None = None
) -> Result:
    """One turn; ``query.history`` is all that needs to be known of the dialog.

    A question that needs context is read in the documents of the dialog; where nothing there
    answers it, it is asked anew with the topic in the place of its pronoun. Other questions, and
    those that ask for a calculation, go the other way round.
    """
    topic = dialog_topic(answerer.store, query)
    steps: list[Step] = []

    def record(step: Step) -> None:
        steps.append(step)
        if on_step is not None:
            on_step(step)

    def in_dialog() -> Result | None:
        texts = dialog_texts(
            answerer.store, query, topic, characters=answerer.config.dialog_characters
        )
        result = read_in_dialog(answerer.store, answerer.reader, query, texts)
        if result is not None:
            record(result.steps[-1])
        return result

    def in_corpus(question: str) -> Result:
        if question != query.question:
            record(Step(Stage.START, 0, f"It was understood as: {question}", (), 0.0))
        return answerer.ask(replace(query, question=question, history=()), on_step=record)

    question = query.question
    dependent = needs_context(question)
    rewritten = rewrite(question, topic) if topic and dependent else question
    if dependent and not may_need_calculation(question):
        near = in_dialog()
        if near is not None and (rewritten == question or not _is_none(near)):
            best = near
        else:
            best = in_corpus(rewritten)
            elsewhere = not any(quote.document == topic for quote in best.quotes)
            answered = elsewhere and not _is_none(best)
            if near is not None and answered and _sureness(near) > _sureness(best):
                best = near  # surer that there is no answer than the pipeline is of its own
    else:
        best = in_corpus(rewritten)
        near = in_dialog() if _is_none(best) else None
        if near is not None and not _is_none(near):
            best = near
    prediction = replace(best.prediction, acts=_acts(best, near))
    return replace(best, question=question, prediction=prediction, steps=tuple(steps))


class DialogPipeline:
    """Answers a first question by itself, and later ones in the light of their dialog."""

    def __init__(self, pipeline: DialogAnswerer) -> None:
        self._pipeline = pipeline

    @property
    def store(self) -> Store:
        """The corpus."""
        return self._pipeline.store

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` is called with each step when it is done."""
        if query.history:
            return ask_in_dialog(self._pipeline, query, on_step=on_step)
        return self._pipeline.ask(query, on_step=on_step)


def dialog_topic(store: Store, query: Query) -> str:
    """The name that a question is about, after the turns before it; "" if there is none."""
    title = (store.resolve(query.title) if query.title else None) or ""
    person = partial(is_person, store)
    return topic_of(query.question, query.history, title, store.__contains__, person)


def _acts(best: Result, near: Result | None) -> DialogActs | None:
    """Those of the reading that gave the answer; whether to follow up is known from either."""
    if best.prediction.acts is not None or near is None or near.prediction.acts is None:
        return best.prediction.acts
    return DialogActs(YES_NO.get(best.answer.kind), near.prediction.acts.follow_up)


def _sureness(result: Result) -> float:
    return result.confidence or 0.0


def _is_none(result: Result) -> bool:
    return result.answer.kind is AnswerKind.NONE
