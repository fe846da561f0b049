"""Whether training data contains anything of the data that is evaluated on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lacuna.metrics.normalise import normalise
from lacuna.train.data.data_folder import DEV, TRAIN, named, read
from lacuna.train.data.text_search import WORD
from lacuna.types import Question


class SharedText(StrEnum):
    """What a training question has in common with the dev questions."""

    QUESTION = "question"
    PASSAGE = "passage"
    BOTH = "question and passage"


class TrainDevOverlap(NamedTuple):
    """A training question that would reveal something about a dev question."""

    id: str
    dev_id: str
    shared: SharedText


class DevQuestions:
    """The questions and passages of a dev file.

    Another question about the same passage counts as well: a model that has seen a passage in
    training knows its way around it; so do the paragraphs that come with a dev question.
    ``distinctive`` is False where equal words alone mean nothing.
    """

    def __init__(self, questions: Iterable[Question], *, distinctive: bool = True) -> None:
        self._by_text: dict[str, str] = {}
        self._by_passage: dict[str, str] = {}
        self._by_both: dict[tuple[str, str], str] = {}
        for question in questions:
            text, passage = _words(question)
            if distinctive:
                self._by_text.setdefault(text, question.id)
            if passage:
                self._by_passage.setdefault(passage, question.id)
                self._by_both.setdefault((text, passage), question.id)
            for document in question.documents:
                if passage := _folded(document.text):
                    self._by_passage.setdefault(passage, question.id)

    def overlap(self, question: Question) -> TrainDevOverlap | None:
        """What a training question shares with the dev questions, if anything."""
        text, passage = _words(question)
        if dev_id := self._by_both.get((text, passage)):
            return TrainDevOverlap(question.id, dev_id, SharedText.BOTH)
        if dev_id := self._by_passage.get(passage):
            return TrainDevOverlap(question.id, dev_id, SharedText.PASSAGE)
        if dev_id := self._by_text.get(text):
            return TrainDevOverlap(question.id, dev_id, SharedText.QUESTION)
        return None


def _words(question: Question) -> tuple[str, str]:
    return normalise(question.text), _folded(question.context.text if question.context else "")


@lru_cache(maxsize=1024)
def _folded(passage: str) -> str:
    """The words alone: the same paragraph has other spaces and marks in another dataset."""
    return " ".join(WORD.findall(passage.casefold()))


def asked_in_dev(folder: Path, names: Collection[str] = tuple(DEV)) -> dict[str, DevQuestions]:
    """The questions of each dev file; one that is not official may be missing."""
    files = {name: named(DEV, name) for name in names}
    return {
        name: DevQuestions(read(file, folder), distinctive=file.distinctive)
        for name, file in files.items()
        if file.official or file.find_optional(folder)
    }


def train_dev_overlap(folder: Path) -> dict[str, int]:
    """How many questions of each training file overlap with each dev file, and in what."""
    asked = asked_in_dev(folder)
    counts: Counter[str] = Counter()
    for name, file in TRAIN.items():
        for question in read(file, folder):
            for dev, index in asked.items():
                if overlap := index.overlap(question):
                    counts[f"{name} in {dev} dev: {overlap.shared}"] += 1
    return dict(counts)
