"""Does anything that is evaluated on stand in what is trained on?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lacuna.metrics.normalise import normalise
from lacuna.train.data.data_folder import DEV, TRAIN, named, read
from lacuna.types import Question


class Shared(StrEnum):
    """What a training question has in common with the dev questions."""

    QUESTION = "question"
    PASSAGE = "passage"
    BOTH = "question and passage"


class TrainDevOverlap(NamedTuple):
    """A training question that would tell about a dev question."""

    id: str
    dev_id: str
    shared: Shared


class DevQuestions:
    """What dev questions ask, of which passages.

    Another question over the same passage counts as well: a reader that has seen a passage in
    training finds its way in it. ``telling`` is False where equal words alone mean nothing.
    """

    def __init__(self, questions: Iterable[Question], *, telling: bool = True) -> None:
        self._by_text: dict[str, str] = {}
        self._by_passage: dict[str, str] = {}
        self._by_both: dict[tuple[str, str], str] = {}
        for question in questions:
            text, passage = _words(question)
            if telling:
                self._by_text.setdefault(text, question.id)
            if passage:
                self._by_passage.setdefault(passage, question.id)
                self._by_both.setdefault((text, passage), question.id)

    def overlap(self, question: Question) -> TrainDevOverlap | None:
        """What a training question shares with the dev questions, if anything."""
        text, passage = _words(question)
        if dev_id := self._by_both.get((text, passage)):
            return TrainDevOverlap(question.id, dev_id, Shared.BOTH)
        if dev_id := self._by_passage.get(passage):
            return TrainDevOverlap(question.id, dev_id, Shared.PASSAGE)
        if dev_id := self._by_text.get(text):
            return TrainDevOverlap(question.id, dev_id, Shared.QUESTION)
        return None


def _words(question: Question) -> tuple[str, str]:
    return normalise(question.text), _folded(question.context.text if question.context else "")


@lru_cache(maxsize=1024)
def _folded(passage: str) -> str:
    return " ".join(passage.casefold().split())


def overlapping(
    questions: Iterable[Question], dev_questions: Iterable[Question], *, telling: bool = True
) -> list[TrainDevOverlap]:
    """All training questions that share their words or their passage with a dev question."""
    asked = DevQuestions(dev_questions, telling=telling)
    return [found for question in questions if (found := asked.overlap(question))]


def asked_in_dev(folder: Path, names: Collection[str] = tuple(DEV)) -> dict[str, DevQuestions]:
    """What each of the dev files asks."""
    files = {name: named(DEV, name) for name in names}
    return {
        name: DevQuestions(read(file, folder), telling=file.telling) for name, file in files.items()
    }


def unseen(dev_questions: Iterable[Question], training: Iterable[Question]) -> list[Question]:
    """The dev questions whose passage is in no training question: what may be evaluated on."""
    passages = {_words(question)[1] for question in training}
    return [question for question in dev_questions if _words(question)[1] not in passages]


def train_dev_overlap(folder: Path) -> dict[str, int]:
    """How many questions of each training file tell about each dev file, and what they share."""
    asked = asked_in_dev(folder)
    counts: Counter[str] = Counter()
    for name, file in TRAIN.items():
        for question in read(file, folder):
            for dev, index in asked.items():
                if found := index.overlap(question):
                    counts[f"{name} in {dev} dev: {found.shared}"] += 1
    return dict(counts)
