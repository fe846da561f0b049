"""From accepted work to gaps that are kept, and those that are not and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lacuna.collect.tasks.kgd.marked_gap import (
    gap_problems,
    is_usable,
    listed,
    marked,
    overlap,
)
from lacuna.collect.tasks.kgd.options import FILES, FOUND
from lacuna.collect.tasks.same_item import by_item
from lacuna.collect.tasks.task import FinishedWork, Json
from lacuna.datasets import get_dataset
from lacuna.datasets.item import Item, under_id
from lacuna.datasets.openbookqa import id_with_fact
from lacuna.datasets.openbookqa.openbookqa_format import FACT, FACT_NAME, KGD_FACT
from lacuna.types import Answer, Choice, Evidence, Gold, Question, Role


@dataclass(frozen=True, slots=True)
class CollectedGap:
    """A question with a fact, and the descriptions of the gap between them that count."""

    split: str
    payload: Json
    works: tuple[Json, ...]
    left_out: str | None
    """Why it is not kept, or None."""

    def question(self) -> Question:
        """As KGD has it: everybody's spans once, the relations as often as they were ticked."""
        fact = self.payload["fact"]
        choices = tuple(Choice(one["label"], one["text"]) for one in self.payload["choices"])
        right = next(choice for choice in choices if choice.label == self.payload["answer"])
        spans = dict.fromkeys(span for work in self.works if (span := marked(work)))
        question = Question(
            self.payload["id"],
            self.payload["question"],
            choices=choices,
            fact=fact,
            gold=Gold(
                (Answer.choice(right.label, right.text),),
                evidence=tuple(Evidence(FACT, *span, Role.KEY_SPAN) for span in spans),
                relations=tuple(name for work in self.works for name in listed(work)),
            ),
            extra={FACT_NAME: KGD_FACT, "answer_starts": [span.start for span in spans]},
        )
        return under_id(question, id_with_fact(question))


def collected_gaps(finished: Iterable[FinishedWork], more: Json) -> list[CollectedGap]:
    """All pairs of a question and a fact that somebody described the gap of."""
    return [_gap(works, more) for works in by_item(finished).values()]


def _gap(works: Sequence[FinishedWork], more: Json) -> CollectedGap:
    payload = works[0].payload
    sound = [work.work for work in works if not list(gap_problems(payload, work.work))]
    usable = [work for work in sound if is_usable(work)]
    agreeing = usable if more["agree"] == FOUND else _agreeing(usable, more["enough"])
    why = None
    if len(agreeing) < more["enough"]:
        why = _why(len(works), len(usable), more)
    return CollectedGap(works[0].split, payload, tuple(agreeing), why)


def _agreeing(usable: Sequence[Json], enough: int) -> list[Json]:
    """The descriptions that share words and a relation with so many, themselves included."""
    return [
        one
        for one in usable
        if sum(
            overlap(one, other) and not set(listed(one)).isdisjoint(listed(other))
            for other in usable
        )
        >= enough
    ]


def _why(works: int, usable: int, more: Json) -> str:
    if works < more["people"]:
        return "not described by enough people yet"
    if usable < more["enough"]:
        return "too few found words of the fact and a relation of the list"
    return "no two people agree on words and a relation"


def write_gaps(gaps: Sequence[CollectedGap], out: Path) -> Mapping[str, Json]:
    """Write a file for each split that has any, and say how much is in it."""
    written = {}
    for split in FILES:
        kept = [gap.question() for gap in gaps if gap.split == split and gap.left_out is None]
        if kept:
            kept.sort(key=lambda question: question.id)
            get_dataset("openbookqa").write(out / f"{split}.jsonl", map(Item.of, kept))
            questions = len({question.id.split("#")[0] for question in kept})
            written[f"{split}.jsonl"] = {"questions": questions, "pairs": len(kept)}
    return written


def reasons(gaps: Sequence[CollectedGap]) -> dict[str, int]:
    """Why pairs were left out, and how many."""
    return dict(Counter(gap.left_out for gap in gaps if gap.left_out).most_common())
