"""Which links of a passage a model would follow, and how good that choice is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lacuna.answer_mode import AnswerMode
from lacuna.datasets import get_dataset
from lacuna.models.model_folder import ModelSystem, find_model
from lacuna.models.registry import open_reader
from lacuna.models.torch_backend import load_torch_backend
from lacuna.reproduce.source import NotHere
from lacuna.reproduce.trained_runs import TrainedRun
from lacuna.systems.linked_articles import ChoosesLinks
from lacuna.systems.system import AT_ONCE, chunks
from lacuna.types import Question

SHIPPED = "small"
LIKELY = 0.0
"""The log-odds of one half, IIRC's threshold."""


@dataclass(frozen=True, slots=True)
class LinkHead:
    """The link scores of a reader, where it has any."""

    reader: Any

    def chosen(self, questions: Sequence[Question]) -> list[tuple[str, ...]]:
        """The titles whose links are likelier needed than not."""
        scored = self.reader.link_scores(questions, mode=AnswerMode.ASK)
        return [
            tuple(
                link.target
                for link, score in zip(question.context.links, scores.links, strict=True)
                if score > LIKELY
            )
            if question.context
            else ()
            for question, scores in zip(questions, scored, strict=True)
        ]


def open_chooser(run: TrainedRun | None) -> ChoosesLinks:
    """A trained link model, or the link head of the shipped reader."""
    if run is None:
        return LinkHead(open_reader(SHIPPED))
    if run.system not in set(ModelSystem):
        raise NotHere(f"no system {run.system!r} is known here")
    chooser: ChoosesLinks = load_torch_backend(
        find_model(run.folder, system=ModelSystem(run.system)), None
    )
    return chooser


def choose_links(chooser: ChoosesLinks, questions: Iterable[Question]) -> dict[str, list[str]]:
    """The titles that are chosen, by the ids of the questions."""
    chosen: dict[str, list[str]] = {}
    for chunk in chunks(questions, AT_ONCE):
        for question, titles in zip(chunk, chooser.chosen(chunk), strict=True):
            chosen[question.id] = list(dict.fromkeys(titles))
    return chosen


@dataclass(frozen=True, slots=True)
class LinkChoiceCounts:
    """Links that were chosen, that are needed, and that are both, over all questions."""

    chosen: int
    gold: int
    right: int

    @property
    def precision(self) -> float | None:
        """The share of chosen links that are needed; None where none is chosen."""
        return self.right / self.chosen if self.chosen else None

    @property
    def recall(self) -> float | None:
        """The share of needed links that are chosen."""
        return self.right / self.gold if self.gold else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both."""
        both = self.chosen + self.gold
        return 2 * self.right / both if both else None


def count_links(
    questions: Iterable[Question], chosen: Mapping[str, Iterable[str]]
) -> LinkChoiceCounts:
    """Count links by the titles that they lead to, each once a question.

    A gold link that the passage does not have is left out: no model could choose it.

    >>> count_links([], {})
    LinkChoiceCounts(chosen=0, gold=0, right=0)
    """
    many, needed, right = 0, 0, 0
    for question in questions:
        links = question.context.links if question.context else ()
        there = {link.target.casefold() for link in links}
        wanted = (question.gold and question.gold.links) or ()
        gold = {title.casefold() for title in wanted} & there
        taken = {title.casefold() for title in chosen.get(question.id, ())} & there
        many, needed, right = many + len(taken), needed + len(gold), right + len(gold & taken)
    return LinkChoiceCounts(many, needed, right)


def read_questions(dataset: str, path: Path) -> list[Question]:
    """All questions of a file."""
    with get_dataset(dataset).open(path) as reader:
        return list(reader.questions())
