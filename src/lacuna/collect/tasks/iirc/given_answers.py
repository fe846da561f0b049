"""Answers as people gave them, and when two of them are the same."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from lacuna.answer_text import texts_from_answer
from lacuna.collect.tasks.iirc.sources import quoted, readable_texts
from lacuna.collect.tasks.task import Json
from lacuna.datasets.drop.drop_format import number_value
from lacuna.datasets.drop.metric import compare, normalise
from lacuna.datasets.iirc.iirc_format import NO_ANSWER, TYPE_OF_KIND
from lacuna.types import Answer

BAD = "bad"
TYPES = ("span", "value", "binary", "none", BAD)
"""The dataset's types of answers, and what is said of a bad question."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One person's answer to one question; ``answer`` is None for a bad question."""

    answer: Answer | None
    raw: Json

    @property
    def type(self) -> str:
        """The type that the dataset's file has for it."""
        return BAD if self.answer is None else TYPE_OF_KIND[self.answer.kind]

    @property
    def texts(self) -> tuple[str, ...]:
        """What the scorer compares."""
        assert self.answer is not None
        return texts_from_answer(self.answer, NO_ANSWER)

    @property
    def same(self) -> Hashable:
        """Equal for answers that the dataset's scorer calls an exact match."""
        if self.type in (BAD, "none"):
            return self.type
        normalised = [normalise(text) for text in self.texts]
        return frozenset(normalised), len(normalised)


def given_answers(payload: Json, work: Json) -> list[GivenAnswer]:
    """The answers of a set that was checked, in the order of its questions."""
    return [
        GivenAnswer(_answer(raw, payload, number), raw)
        for number, raw in enumerate(work["answers"])
    ]


def agree(one: GivenAnswer, other: GivenAnswer) -> bool:
    """Whether two answers are the same, as the dataset's scorer sees it."""
    return one.same == other.same


def overlap(one: GivenAnswer, other: GivenAnswer) -> float:
    """The scorer's F1 of two answers, whichever is held against the other."""
    if one.answer is None or other.answer is None or "none" in (one.type, other.type):
        return float(agree(one, other))
    there, back = compare(one.texts, other.texts), compare(other.texts, one.texts)
    return (there[1] + back[1]) / 2


def _answer(raw: Json, payload: Json, number: int) -> Answer | None:
    match raw["kind"]:
        case "span":
            texts = readable_texts(payload, number)
            spans = tuple(quoted(span, texts) for span in raw["spans"])
            return Answer.span(spans[0]) if len(spans) == 1 else Answer.spans(spans)
        case "number":
            written = raw["number"].strip()
            return Answer.number(number_value(written), written, unit=raw["unit"].strip())
        case "yes":
            return Answer.yes()
        case "no":
            return Answer.no()
        case "none":
            return Answer.none()
    return None
