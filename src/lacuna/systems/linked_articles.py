"""IIRC as its paper does it: links are chosen, followed, and one window of each article is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from lacuna.answer_mode import AnswerMode
from lacuna.datasets.answer_trace import trace_of_given
from lacuna.datasets.setting import Setting
from lacuna.systems.kept_answers import KeptAnswer
from lacuna.systems.system import AT_ONCE, Progress, chunks
from lacuna.types import Answer, Document, Prediction, Question

if TYPE_CHECKING:
    from lacuna.corpus.store import Store

ORACLE_LINKS = "oracle-links"
"""The setting that leaves the gold links alone: all of them are followed."""


class ChoosesLinks(Protocol):
    """A link model."""

    def chosen(self, questions: Sequence[Question]) -> list[tuple[str, ...]]:
        """The titles to follow for each question."""
        ...


class PredictsContext(Protocol):
    """A link model and a context model."""

    def predicted(
        self,
        questions: Sequence[Question],
        article_of: Callable[[str], Document | None],
        *,
        all_links: bool = False,
    ) -> list[Question]:
        """The questions with windows of the articles that were followed to."""
        ...


class ReadsStages(Protocol):
    """What reads such a context."""

    @property
    def reads_context(self) -> bool:
        """Whether it looks at linked texts at all."""
        ...

    def stages(self) -> PredictsContext:
        """The two stages before it."""
        ...

    def read(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[Prediction]:
        """One prediction for each question."""
        ...


class FollowingSystem(ABC):
    """Says which documents it followed links to, besides its answers."""

    name: str

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        answers = self.answers(questions, setting=setting, progress=progress)
        return {id_: answer.prediction for id_, answer in answers.items()}

    def answers(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, KeptAnswer]:
        """The predictions with the titles that were followed to, by id."""
        answers: dict[str, KeptAnswer] = {}
        for chunk in chunks(questions, AT_ONCE):
            answered = self.follow(chunk, setting)
            answers |= zip((question.id for question in chunk), answered, strict=True)
            if progress is not None:
                progress(len(answers))
        return answers

    @abstractmethod
    def follow(self, questions: Sequence[Question], setting: Setting) -> list[KeptAnswer]:
        """What is said of some questions."""


class LinkSystem(FollowingSystem):
    """A link model by itself: no answers, but links."""

    def __init__(self, links: ChoosesLinks, name: str) -> None:
        self.name = name
        self._links = links

    def follow(self, questions: Sequence[Question], setting: Setting) -> list[KeptAnswer]:
        none = Prediction(Answer.none())
        return [KeptAnswer(none, titles) for titles in self._links.chosen(questions)]


class LinkedArticlesSystem(FollowingSystem):
    """All three stages over the articles of a corpus."""

    def __init__(self, store: Store, reader: ReadsStages, name: str) -> None:
        self.name = name
        self._store, self._reader, self._stages = store, reader, reader.stages()

    def follow(self, questions: Sequence[Question], setting: Setting) -> list[KeptAnswer]:
        given = setting.name == ORACLE_LINKS
        asked = self._stages.predicted(questions, self._article, all_links=given)
        predictions = self._reader.read(asked, mode=setting.mode)
        return [
            KeptAnswer(
                prediction,
                tuple(document.title for document in question.documents),
                trace_of_given(question),
            )
            for question, prediction in zip(asked, predictions, strict=True)
        ]

    def _article(self, title: str) -> Document | None:
        known = self._store.resolve(title)
        return None if known is None else self._store.document(known)
