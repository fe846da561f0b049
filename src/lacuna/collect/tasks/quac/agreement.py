"""How far people agree: the teacher, and those who validated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from lacuna.collect.tasks.quac.collected import CollectedDialog
from lacuna.collect.tasks.quac.span_answers import NONE, SPAN, answers_agree, quoted
from lacuna.collect.tasks.task import Json
from lacuna.metrics.krippendorff import nominal_alpha
from lacuna.metrics.normalise import normalise

Answered = tuple[str, list[Json]]
"""A section's text, and all answers to one question about it."""


def answer_agreement(dialogs: Sequence[CollectedDialog]) -> Json:
    """Of all questions that several people answered; by what most of them say."""
    questions = [
        (dialog.payload["text"], answers)
        for dialog in dialogs
        for answers in dialog.answers
        if len(answers) > 1
    ]
    by_type: dict[str, list[Answered]] = {SPAN: [], NONE: []}
    for question in questions:
        by_type[_most_common_kind(question[1])].append(question)
    kinds = [[answer["kind"] for answer in answers] for _, answers in questions]
    affirm = [[answer["yesno"] for answer in answers] for _, answers in questions]
    return {
        "questions": len(questions),
        **_pairwise(questions),
        "alpha": _alpha(questions),
        "alpha_of_types": nominal_alpha(kinds),
        "alpha_of_affirmation": nominal_alpha(affirm),
        "types": {
            kind: {"questions": len(some), **_pairwise(some), "alpha": _alpha(some)}
            for kind, some in by_type.items()
        },
    }


def _most_common_kind(answers: Sequence[Json]) -> str:
    kinds: Counter[str] = Counter(answer["kind"] for answer in answers)
    return kinds.most_common(1)[0][0]


def _pairwise(questions: Sequence[Answered]) -> Json:
    """The means over all pairs of answers to the same question."""
    pairs = [(text, *pair) for text, answers in questions for pair in combinations(answers, 2)]
    if not pairs:
        return {"exact": None, "f1": None}
    return {
        "exact": fmean(_label(text, one) == _label(text, other) for text, one, other in pairs),
        "f1": fmean(answers_agree(*pair) for pair in pairs),
    }


def _alpha(questions: Sequence[Answered]) -> float | None:
    return nominal_alpha(
        [[_label(text, answer) for answer in answers] for text, answers in questions]
    )


def _label(text: str, answer: Json) -> str | None:
    return None if answer["kind"] == NONE else normalise(quoted(text, answer))
