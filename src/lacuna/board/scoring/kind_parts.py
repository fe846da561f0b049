"""Scores per kind of answer that give no single question away.

Kinds with few questions are put together until every part is large enough, so that the parts are
all of the questions, and the official scores follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lacuna.metrics.metric import Metric, QuestionScore
from lacuna.types import AnswerKind


@dataclass(frozen=True, slots=True)
class KindPart:
    """The questions of some kinds of answers, and what they were scored."""

    kinds: tuple[str, ...]
    questions: int
    counted: dict[str, int]
    """How many of them count for each measure."""
    means: dict[str, float | None]
    """None where too few count to be told."""


def kind_parts(
    metric: Metric, scores: Sequence[QuestionScore], smallest: int
) -> tuple[KindPart, ...]:
    """The parts, in the order in which kinds are named everywhere."""
    groups: list[list[QuestionScore]] = [
        some for kind in AnswerKind if (some := [one for one in scores if one.kind is kind])
    ]
    while len(groups) > 1 and min(map(len, groups)) < smallest:
        # The two smallest: what is left between a part and the whole is never too small.
        first, second = sorted(sorted(range(len(groups)), key=lambda at: len(groups[at]))[:2])
        groups[first] = groups[first] + groups.pop(second)
    return tuple(_part(metric, some, smallest) for some in groups)


def _part(metric: Metric, scores: Sequence[QuestionScore], smallest: int) -> KindPart:
    means = metric.means([score.row for score in scores])
    counted = {
        name: sum(score.row[at] is not None for score in scores)
        for at, name in enumerate(metric.measures)
        if name not in metric.of_groups
    }
    enough = min(smallest, len(scores))
    told = {name: means[name] if counted[name] >= enough else None for name in counted}
    present = {score.kind for score in scores}
    kinds = tuple(str(kind) for kind in AnswerKind if kind in present)
    return KindPart(kinds, len(scores), counted, told)
