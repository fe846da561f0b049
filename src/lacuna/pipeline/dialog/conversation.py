"""A dialog: questions that build on what was asked and answered before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Protocol

from lacuna.corpus.store import Store
from lacuna.models.protocol import Reader, readable
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.dialog.deciding import DialogReading, Way, surest
from lacuna.pipeline.dialog.kinds import kind_in
from lacuna.pipeline.dialog.reading import dialog_texts, read_in_dialog
from lacuna.pipeline.dialog.understanding import Understanding, understand
from lacuna.pipeline.query import Answerer, Query, check_length
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import OnStep, Stage, Step
from lacuna.types import AnswerKind, DialogActs, Document, Turn, YesNo

NEAR = (Way.NEAR, Way.NEAR_THOUGH_WHOLE)
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

    The question is read in up to three ways, and the surest reading is the answer.
    """
    check_length(query.question)
    part = readable(answerer.reader, query.question)
    asked = replace(query, question=part)
    understanding = understand_query(answerer.store, asked)
    steps: list[Step] = []

    def record(step: Step) -> None:
        steps.append(step)
        if on_step is not None:
            on_step(step)

    readings = list(read_all_ways(answerer, asked, understanding, on_step=record))
    best = surest(readings, home=_home(query))
    near = next((one.result for one in readings if one.way in NEAR), None)
    as_typed = best.way is Way.AS_ASKED or not understanding.is_rewritten
    read_as = part if as_typed else understanding.text
    return replace(
        best.result,
        question=query.question,
        prediction=replace(best.result.prediction, acts=_acts(best.result, near)),
        steps=tuple(steps),
        read_as="" if read_as == query.question else read_as,
    )


def read_all_ways(
    answerer: DialogAnswerer,
    query: Query,
    understanding: Understanding,
    *,
    on_step: OnStep | None = None,
) -> Iterator[DialogReading]:
    """Every reading of a question: anew where it was rewritten, as asked where it means something.

    In the documents of the dialog it is read with the turns before it beside it.
    """
    if understanding.is_rewritten:
        text = understanding.text
        if on_step is not None:
            on_step(Step(Stage.START, 0, f"It was understood as: {text}", (), 0.0))
        anew = replace(query, question=text, history=())
        yield DialogReading(Way.ANEW, answerer.ask(anew, on_step=on_step))
    if not understanding.needs_dialog or not understanding.is_rewritten:
        plain = query.question if understanding.is_rewritten else understanding.text
        asked = replace(query, question=plain, history=())
        yield DialogReading(Way.AS_ASKED, answerer.ask(asked, on_step=on_step))
    topic = _documented(answerer.store, understanding)
    most = answerer.config.dialog_characters
    texts = dialog_texts(answerer.store, query, topic, characters=most)
    # Names that were put in for pronouns may have made it too long.
    understood = replace(query, question=readable(answerer.reader, understanding.text))
    near = read_in_dialog(answerer.store, answerer.reader, understood, texts)
    if near is not None:
        if on_step is not None:
            on_step(near.steps[-1])
        whole = not understanding.needs_dialog
        yield DialogReading(Way.NEAR_THOUGH_WHOLE if whole else Way.NEAR, near)


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


def understand_query(store: Store, query: Query) -> Understanding:
    """What a question means, by what the corpus knows of the names in its dialog."""
    title = (store.resolve(query.title) if query.title else None) or ""
    kind_of = cache(partial(kind_in, store, read=_home(query)))
    return understand(query.question, query.history, title=title, kind_of=kind_of)


def dialog_topic(store: Store, query: Query) -> str:
    """The document that a question is about, after the turns before it; "" if there is none."""
    return _documented(store, understand_query(store, query))


def _documented(store: Store, understanding: Understanding) -> str:
    return next((name for name in understanding.names if name in store), "")


def _home(query: Query) -> frozenset[str]:
    """The documents that the answers of the dialog were taken from."""
    answers = (turn.answer for turn in query.history if turn.answer)
    return frozenset(place.document for answer in answers for place in answer.found_at)


def _acts(best: Result, near: Result | None) -> DialogActs | None:
    """Those of the reading that gave the answer; whether to follow up is known from either."""
    if best.prediction.acts is not None or near is None or near.prediction.acts is None:
        return best.prediction.acts
    return DialogActs(YES_NO.get(best.answer.kind), near.prediction.acts.follow_up)
