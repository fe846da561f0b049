"""How far people agree on answers: exactly, by F1, and beyond chance, for each type of answer."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations

from lacuna.collect.tasks.iirc.assembly import CollectedQuestion
from lacuna.collect.tasks.iirc.given_answers import TYPES, GivenAnswer, agree, overlap
from lacuna.collect.tasks.task import Json
from lacuna.metrics.krippendorff import nominal_alpha


def answer_agreement(questions: Sequence[CollectedQuestion]) -> Json:
    """Of all questions that several people answered.

    A question's type is that of the answer most people gave. Alpha of a type looks at all
    questions: answers of that type count as what they are, all others as one label "other".
    """
    shared = [question for question in questions if len(question.answers) > 1]
    by_type = {
        type_: [question for question in shared if question.common.type == type_] for type_ in TYPES
    }
    return {
        "questions": len(shared),
        **_pairwise(shared),
        "alpha": _alpha(shared, None),
        "alpha_of_types": nominal_alpha(
            [[answer.type for answer in question.answers] for question in shared]
        ),
        "types": {
            type_: {"questions": len(some), **_pairwise(some), "alpha": _alpha(shared, type_)}
            for type_, some in by_type.items()
        },
    }


def _pairwise(questions: Sequence[CollectedQuestion]) -> Json:
    """The means over all pairs of answers to the same question."""
    pairs = [pair for question in questions for pair in combinations(question.answers, 2)]
    if not pairs:
        return {"exact": None, "f1": None}
    return {
        "exact": sum(agree(*pair) for pair in pairs) / len(pairs),
        "f1": sum(overlap(*pair) for pair in pairs) / len(pairs),
    }


def _alpha(questions: Sequence[CollectedQuestion], only: str | None) -> float | None:
    def label(answer: GivenAnswer) -> Hashable:
        return answer.same if only in (None, answer.type) else "other"

    return nominal_alpha([[label(answer) for answer in question.answers] for question in questions])
