"""Scores per kind of answer that give no single question away.

Kinds with few questions are put together until every part is large enough, so that the parts are
all of the questions, and the official scores follow from them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from lacuna.metrics.metric import Metric, QuestionScore
from lacuna.types import AnswerKind

TOLD_TO = 1e-4
"""Of a perfect score: what is told is rounded to this. Who made the scores of some questions come
out as powers of two could else read each of them off a mean."""
DIGITS = 9
"""Behind the point, so that 0.1 is not 0.10000000000000001."""


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
    counts = [counted(metric, some) for some in groups]
    enough = enough_of(scores, smallest)
    told = {
        name: _told([count[name] for count in counts], enough)
        for name in metric.measures
        if name not in metric.of_groups and not gives_away(metric, name, counts, enough)
    }
    return tuple(
        _part(metric, some, counts[at], {name for name, places in told.items() if at in places})
        for at, some in enumerate(groups)
    )


def counted(metric: Metric, scores: Sequence[QuestionScore]) -> dict[str, int]:
    """How many questions count for each measure; for what is of groups, how many of these."""
    return {
        name: sum(score.row[at] is not None for score in scores)
        for at, name in enumerate(metric.measures)
    }


def enough_of(scores: Sequence[QuestionScore], smallest: int) -> int:
    """How many questions have to count for a number that is told. A file with fewer in all has
    nothing that could be kept from whoever sees its scores."""
    return smallest if len(scores) >= smallest else 1


def rounded(metric: Metric, value: float | None) -> float | None:
    """A number as it is told."""
    if value is None:
        return None
    steps = round(value / (metric.scale * TOLD_TO))
    return round(steps * metric.scale * TOLD_TO, DIGITS)


def _told(counts: Sequence[int], enough: int) -> set[int]:
    """The parts whose mean of a measure is told. The whole less these is what is left of the
    others together, so that these must be enough as well."""
    told = {at for at, count in enumerate(counts) if count >= enough}
    while told and 0 < sum(counts) - sum(counts[at] for at in told) < enough:
        told.remove(min(told, key=counts.__getitem__))
    return told


def gives_away(metric: Metric, name: str, counts: Sequence[Mapping[str, int]], enough: int) -> bool:
    """Whether a measure, less the same over fewer questions, tells of too few of them."""
    fewer = [narrow for narrow, wide in metric.of_fewer.items() if wide == name]
    return any(0 < count[name] - count[narrow] < enough for narrow in fewer for count in counts)


def _part(
    metric: Metric, scores: Sequence[QuestionScore], counts: dict[str, int], told: Collection[str]
) -> KindPart:
    means = metric.means([score.row for score in scores])
    own = {name: count for name, count in counts.items() if name not in metric.of_groups}
    shown = {name: rounded(metric, means[name]) if name in told else None for name in own}
    present = {score.kind for score in scores}
    kinds = tuple(str(kind) for kind in AnswerKind if kind in present)
    return KindPart(kinds, len(scores), own, shown)
