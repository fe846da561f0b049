"""Which reading of a question is right: in the dialog's text, anew over the corpus, or as asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lacuna.pipeline.dialog.questions import shape_of
from lacuna.pipeline.result import Result
from lacuna.types import AnswerKind

DECIDED = (AnswerKind.YES, AnswerKind.NO)


class Way(StrEnum):
    """How a question was read."""

    ANEW = "anew"
    """Over the corpus, with names in the place of its pronouns."""
    AS_ASKED = "as asked"
    """Over the corpus, word by word."""
    NEAR = "near"
    """In the text that the dialog is about, as the questions of QuAC's dialogs are."""
    NEAR_THOUGH_WHOLE = "near, though whole"
    """The same for a question that may have nothing to do with the dialog: it needs no other."""


@dataclass(frozen=True, slots=True)
class DialogReading:
    """A result, and how the question was read for it."""

    way: Way
    result: Result

    @property
    def is_none(self) -> bool:
        """Whether it says that there is no answer."""
        return self.result.answer.kind is AnswerKind.NONE


@dataclass(frozen=True, slots=True)
class DialogWeights:
    """What the confidence of a reading is multiplied with, so that all are on one scale.

    The confidence of a "none" is how likely there is no answer. A result over the corpus that was
    read anew weighs 1, and the others are measured by it.
    """

    none_anew: float = 0.7
    as_asked: float = 0.9
    none_as_asked: float = 0.7
    near: float = 0.9
    near_though_whole: float = 0.75
    none_near: float = 0.2
    at_home: float = 1.2
    """For an answer over the corpus that stands in a document that the dialog has read before."""
    no_yes_or_no: float = 0.5
    """For an answer that is neither, where that was asked for."""

    def of(self, reading: DialogReading, home: Iterable[str] = ()) -> float:
        """The confidence of a reading, weighed."""
        none = reading.is_none
        match reading.way:
            case Way.NEAR:
                weight = self.none_near if none else self.near
            case Way.NEAR_THOUGH_WHOLE:
                weight = self.none_near if none else self.near_though_whole
            case Way.AS_ASKED:
                weight = self.none_as_asked if none else self.as_asked
            case Way.ANEW:
                weight = self.none_anew if none else 1.0
        documents = {quote.document for quote in reading.result.quotes}
        if reading.way in (Way.ANEW, Way.AS_ASKED) and not none and documents & set(home):
            weight *= self.at_home
        if (
            not none
            and _asks_yes_or_no(reading.result)
            and reading.result.answer.kind not in DECIDED
        ):
            weight *= self.no_yes_or_no
        return weight * (reading.result.confidence or 0.0)


def surest(
    readings: Sequence[DialogReading],
    *,
    home: Iterable[str] = (),
    weights: DialogWeights = DialogWeights(),  # it is frozen
) -> DialogReading:
    """The reading with the highest weighed confidence; the first of those that are equal.

    ``home`` are the documents in which the dialog's answers stood so far.
    """
    titles = frozenset(home)
    return max(readings, key=lambda reading: weights.of(reading, titles))


def _asks_yes_or_no(result: Result) -> bool:
    shape = shape_of(result.question)
    return bool(shape.auxiliary) and not shape.asking
