"""A talk: questions that lean on what was asked and answered before."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from lacuna.ask.asking import Asked, Asks
from lacuna.ask.follow_up import leans, spelled_out, topic_of
from lacuna.ask.result import Result
from lacuna.ask.same_section import Reads, read_on
from lacuna.ask.trace import Stage, Step, Watch
from lacuna.types import AnswerKind, Document, Turn


class Talks(Asks, Protocol):
    """Something that can be asked, and whose model can be asked to read on."""

    @property
    def reader(self) -> Reads:
        """The model."""
        ...


class Conversation:
    """Keeps what was said, of one document, one passage, or a whole corpus.

    >>> talk = Conversation(lacuna.open_corpus())  # doctest: +SKIP
    >>> talk.ask("Who founded the Sandreth Courier?").answer.text  # doctest: +SKIP
    'Perrin Cobb'
    >>> talk.ask("When was he born?").answer.text  # doctest: +SKIP
    '4 May 1829'
    """

    def __init__(
        self, asks: Talks, *, title: str | None = None, passage: Document | None = None
    ) -> None:
        if title is not None and asks.store.resolve(title) is None:
            raise asks.store.no_such(title)
        self._asks = asks
        self._title = title
        self._passage = passage
        self.results: list[Result] = []

    @property
    def history(self) -> tuple[Turn, ...]:
        """What was asked and answered so far."""
        return tuple(
            Turn(result.question, result.answer, result.prediction.acts) for result in self.results
        )

    def ask(self, question: str, *, watch: Watch | None = None) -> Result:
        """The answer, in the light of what was said before."""
        asked = Asked(question, self._passage, self._title, self.history)
        result = go_on(self._asks, asked, watch=watch)
        self.results.append(result)
        return result


def go_on(asks: Talks, asked: Asked, *, watch: Watch | None = None) -> Result:
    """One turn; ``asked.history`` is all that is known of the talk.

    A question that leans on the talk is first asked of the section that the last answer stood in;
    then, as every other, with its pronoun spelled out, of the whole corpus.
    """
    if not leans(asked.question):
        return asks.ask(replace(asked, history=()), watch=watch)
    begun: list[Step] = []

    def tell(step: Step) -> None:
        begun.append(step)
        if watch is not None:
            watch(step)

    here = read_on(asks.store, asks.reader, asked)
    if here is not None:
        tell(here.steps[-1])
        if here.answer.kind is not AnswerKind.NONE:
            return here
    topic = topic_of(asked.history, asked.title or "", asks.store.__contains__)
    plain = spelled_out(asked.question, topic) if topic else asked.question
    if plain != asked.question:
        tell(Step(Stage.START, 0, f"It was understood as: {plain}", (), 0.0))
    result = asks.ask(replace(asked, question=plain), watch=watch)
    acts = here.prediction.acts if here is not None else None
    return replace(
        result,
        question=asked.question,
        prediction=replace(result.prediction, acts=result.prediction.acts or acts),
        steps=(*begun, *result.steps),
    )
