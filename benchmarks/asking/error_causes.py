"""Why an answer over a corpus is wrong, from the trace of its result and the gold evidence.

Found are the texts that START and FIND ranked. Read are those of them that a step chose or that
were given to the reader, and everything else that it was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.retrieval.evidence_match import EvidenceSentence
from lacuna.datasets.real import Judgement, matches, outcome, text_of
from lacuna.pipeline.result import Result, Stage
from lacuna.quantities.arithmetic import amount
from lacuna.quantities.find_quantities import find_quantities
from lacuna.types import Question


class Cause(StrEnum):
    """Where the way to the right answer ended."""

    NOT_FOUND = "not found"
    """A sentence that the answer needs is in no text that was found."""
    NOT_READ = "found and not read"
    REJECTED = "read and rejected"
    """None was said, though the right answer was considered, or though all that it needs was read
    and nothing else was considered."""
    OPPOSITE = "opposite"
    """Yes for no, or no for yes, though what decides was read."""
    WRONG_KIND = "wrong kind"
    """An answer of another kind, or a part of a list, though what answers was read."""
    WRONG_TEXT = "wrong text"
    """Another text, or another part of it, was taken."""


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text that was found, and whether the reader got it."""

    title: str
    text: str
    read: bool


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with what came of it; ``given`` are the texts that the reader was given."""

    question: Question
    result: Result
    given: tuple[str, ...] = ()

    @property
    def judgement(self) -> Judgement:
        """Right, wrong, or none."""
        return outcome(self.question.extra["match"], text_of(self.result.answer))

    @property
    def evidence(self) -> list[EvidenceSentence]:
        """The sentences that the answer needs."""
        return [EvidenceSentence(each["sentence"]) for each in self.question.extra["evidence"]]

    @property
    def considered(self) -> list[str]:
        """What was given, and the other answers: the alternatives and the best of each reading."""
        texts = [text_of(self.result.answer)]
        texts += [text_of(other.answer) for other in self.result.alternatives]
        for step in reversed(self.result.steps):
            if step.stage is Stage.READ:
                texts += [candidate.text for candidate in step.candidates]
        return [text for text in texts if text != "none"]

    @property
    def had_it(self) -> bool:
        """Whether the right answer was considered."""
        return any(matches(self.question.extra["match"], text) for text in self.considered)

    def found(self) -> list[FoundText]:
        """The texts that were found, the best first."""
        best: dict[tuple[str, int | None, int | None], float] = {}
        texts: dict[tuple[str, int | None, int | None], FoundText] = {}
        for step in self.result.steps:
            if step.stage not in (Stage.START, Stage.FIND):
                continue
            for one in step.candidates:
                place = one.title, one.start, one.end
                before = texts.get(place)
                read = one.chosen or (before is not None and before.read)
                read = read or any(one.text in text for text in self.given)
                texts[place] = FoundText(one.title, one.text, read)
                best[place] = max(one.score, best.get(place, one.score))
        return [texts[place] for place in sorted(texts, key=lambda place: -best[place])]

    def cause(self) -> Cause:
        """Why the answer is wrong; where none was said, why the best one was."""
        if self.judgement is Judgement.ANSWERED_THOUGH_NONE:
            return Cause.WRONG_TEXT
        if self.judgement is Judgement.WRONGLY_NONE and self.had_it:
            return Cause.REJECTED
        found = self.found()
        read = [text.text for text in found if text.read] + list(self.given)
        if not _all_in(self.evidence, [text.text for text in found] + read):
            return Cause.NOT_FOUND
        if not _all_in(self.evidence, read):
            return Cause.NOT_READ
        if not self.considered:
            return Cause.REJECTED
        best = self.considered[0]
        if _is_yes_no(best) and _is_yes_no(self.question.extra["gold"]):
            return Cause.OPPOSITE
        return Cause.WRONG_KIND if self.of_another_kind(best) else Cause.WRONG_TEXT

    def of_another_kind(self, text: str) -> bool:
        """Whether it could not be right, wherever it was taken from.

        A number that was to be calculated is of another kind than one that is quoted.
        """
        extra = self.question.extra
        patterns, gold = extra["match"], str(extra["gold"])
        if _is_yes_no(text) or _is_yes_no(gold):
            return True
        if isinstance(patterns, list) and len(patterns) > 1:
            return any(matches(pattern, text) for pattern in patterns)
        asked_for_amount = bool(find_quantities(gold))
        if extra.get("kind") == "number" and asked_for_amount:
            quoted = any(EvidenceSentence(text).is_in(each.text) for each in self.evidence)
            return quoted or not find_quantities(text)
        return amount(text, self.question.text) is not None and not asked_for_amount

    def ranks(self) -> list[str]:
        """Of each sentence, the place of the first text that holds it, and whether that was read.

        One that stands only in a text that was read and not ranked has no place.
        """
        found = self.found()
        shown = []
        for sentence in self.evidence:
            holding = [(at, text) for at, text in enumerate(found, 1) if sentence.is_in(text.text)]
            if holding:
                read = any(text.read for _, text in holding)
                shown.append(f"{holding[0][0]} of {len(found)}{', read' if read else ''}")
            elif _all_in([sentence], self.given):
                shown.append("read")
            else:
                shown.append(f"not among {len(found)}")
        return shown


def _all_in(sentences: Sequence[EvidenceSentence], texts: Sequence[str]) -> bool:
    return all(any(sentence.is_in(text) for text in texts) for sentence in sentences)


def _is_yes_no(text: str) -> bool:
    return text.strip().lower() in ("yes", "no")
