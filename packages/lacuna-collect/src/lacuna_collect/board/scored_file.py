"""Score a file of predictions that anybody may have made, in a process of its own."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lacuna.datasets import get_dataset
from lacuna.datasets.base import Dataset
from lacuna.errors import LacunaError
from lacuna.files.child import ChildRefusedError, limit_here
from lacuna.files.writing import replace_bytes, replace_text
from lacuna.metrics.metric import Metric, QuestionScore, Row
from lacuna.metrics.report import Report, score_predictions
from lacuna.types import AnswerKind, Prediction, Question

NAMED = 5
"""Ids that are named; of the others it is told how many there are."""


def check_ids(
    metric: Metric, questions: Sequence[Question], predictions: Mapping[str, Prediction]
) -> None:
    """Refuse a file that lacks questions, or has others; an id that stands there twice was
    refused when the file was read."""
    known = [metric.prediction_ids(question) for question in questions]
    missing = [ids[0] for ids in known if not any(id_ in predictions for id_ in ids)]
    unknown = sorted(set(predictions).difference(*known))
    told = []
    if missing:
        told.append(f"{_counted(missing, 'question has', 'questions have')} no prediction")
    if unknown:
        told.append(f"{_counted(unknown, 'prediction is', 'predictions are')} for unknown ids")
    if told:
        names = [f"{_few(ids)}" for ids in (missing, unknown) if ids]
        both = "; ".join(f"{what}: {which}" for what, which in zip(told, names, strict=True))
        raise LacunaError(
            f"{both}. Send a file with one prediction for each of the {len(questions):,} questions."
        )


def _counted(ids: Sequence[str], one: str, several: str) -> str:
    return f"{len(ids):,} {one if len(ids) == 1 else several}"


def _few(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    return ", ".join(repr(id_[:80]) for id_ in ids[:NAMED]) + more


# Scores per kind of answer that give no single question away.
#
# Kinds with few questions are put together until every part is large enough, so that the parts are
# all of the questions, and the official scores follow from them.


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


Bounds = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class ScoredFile:
    """The scores of one file, over all questions and per kind; none of a single question."""

    questions: int
    scores: Mapping[str, float | None]
    """The official ones, rounded; None for a measure that too few questions count for."""
    intervals: Mapping[str, Bounds]
    parts: tuple[KindPart, ...]
    notes: tuple[str, ...] = ()
    """What the team should know of its file."""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    @classmethod
    def of_json(cls, said: Mapping[str, Any]) -> ScoredFile:
        """The reverse."""
        intervals = {
            name: None if bounds is None else (bounds[0], bounds[1])
            for name, bounds in said["intervals"].items()
        }
        parts = tuple(KindPart(**{**part, "kinds": tuple(part["kinds"])}) for part in said["parts"])
        return cls(said["questions"], said["scores"], intervals, parts, tuple(said["notes"]))


class HiddenFileDamagedError(Exception):
    """The hidden answers cannot be read; what is wrong with them is not for who sent a file."""


@dataclass(frozen=True, slots=True)
class HiddenRows:
    """The scores of each question, which no one but the server gets."""

    measures: tuple[str, ...]
    groups: list[int]
    rows: list[Row]


def read_gold(dataset: Dataset, path: Path) -> list[Question]:
    """The questions of a hidden file, which must all have an answer."""
    questions = dataset.gold_at_once(path)
    if questions is None:
        with dataset.open(path, gold_only=True) as reader:
            questions = list(reader.questions())
    without = [
        question.id for question in questions if not (question.gold and question.gold.answers)
    ]
    if not questions or without:
        what = f"{len(without):,} questions without an answer, such as {without[0]!r}"
        raise LacunaError(
            f"{path} has {what if questions else 'no question'}. Give a file in which every "
            "question has its answer: it is what submissions are scored by."
        )
    return questions


def score_file(
    dataset: str, gold: Path, predictions: Path, smallest_part: int
) -> tuple[ScoredFile, HiddenRows]:
    """Check and score a file of predictions."""
    source = get_dataset(dataset)
    metric = source.metric()
    predicted = source.read_predictions(predictions)
    try:
        questions = read_gold(source, gold)
    except LacunaError as error:
        raise HiddenFileDamagedError from error
    check_ids(metric, questions, predicted)
    return _scored(metric, questions, predicted, smallest_part)


def score_abstention(dataset: Dataset, gold: Path, smallest_part: int) -> tuple[ScoredFile, Metric]:
    """The floor: what a system gets that never answers, and the scorer that says so."""
    metric = dataset.metric()
    questions = read_gold(dataset, gold)
    abstaining = {question.id: metric.abstention(question) for question in questions}
    scored, _ = _scored(metric, questions, abstaining, smallest_part)
    return scored, metric


def _scored(
    metric: Metric,
    questions: list[Question],
    predicted: Mapping[str, Prediction],
    smallest_part: int,
) -> tuple[ScoredFile, HiddenRows]:
    report = score_predictions(metric, questions, predicted)
    counts, enough = counted(metric, report.scores), enough_of(report.scores, smallest_part)
    parts = kind_parts(metric, report.scores, smallest_part)
    of_parts = [part.counted for part in parts]
    told = {
        name
        for name, count in counts.items()
        if count >= enough and not gives_away(metric, name, of_parts, enough)
    }
    scored = ScoredFile(
        questions=report.questions,
        scores={
            name: rounded(metric, report.official.get(name)) if name in told else None
            for name in report.measures
        },
        intervals={
            name: _bounds(metric, report.interval.get(name)) if name in told else None
            for name in report.measures
        },
        parts=parts,
        notes=_notes(report),
    )
    rows = HiddenRows(
        tuple(report.measures),
        [score.group for score in report.scores],
        [score.row for score in report.scores],
    )
    return scored, rows


def _bounds(metric: Metric, bounds: Bounds) -> Bounds:
    if bounds is None:
        return None
    low, high = (rounded(metric, bound) for bound in bounds)
    assert low is not None
    assert high is not None
    return low, high


def _notes(report: Report) -> tuple[str, ...]:
    return tuple(
        f"{count:,} of {report.questions:,} predictions have no {part}, which counts as wrong."
        for part, count in report.lacking.items()
    )


# What the scoring process does: read a file that anybody may have made, and score it.
#
# It may take so much memory and time and no more, and may write no large files. It hands its
# results over as files, written whole or not at all.


NO_ROOM = 3
RESULT = "result.json"
ROWS = "rows.npz"
LARGEST_RESULT = 256 << 20
SPARE_SECONDS = 5
"""Of processor time, after which the system ends what the server's own clock has not."""


def score_here(job: str) -> None:
    """Score what a job names; the exit code says how it went, standard error why."""
    told: dict[str, Any] = json.loads(job)
    seconds = told["seconds"] + SPARE_SECONDS
    limit_here(AS=told["memory_mb"] << 20, CPU=seconds, FSIZE=LARGEST_RESULT, CORE=0)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread would reserve memory of its own
    os.chdir(Path(told["predictions"]).parent)  # so that errors name the file without its folder
    gc.disable()  # nothing that is scored is cyclic
    try:
        _score(told)
    except LacunaError as error:
        print(error, file=sys.stderr)
        sys.exit(ChildRefusedError.CODE)
    except (MemoryError, RecursionError):
        sys.exit(NO_ROOM)


def _score(told: dict[str, Any]) -> None:
    import numpy as np

    scored, rows = score_file(
        told["dataset"],
        Path(told["gold"]),
        Path(Path(told["predictions"]).name),
        told["smallest_part"],
    )
    out = Path(told["out"])
    with replace_bytes(out / ROWS) as file:
        table = np.array(rows.rows, dtype=float)  # questions x measures, nan where one has none
        np.savez_compressed(file, groups=np.array(rows.groups), rows=table)
    with replace_text(out / RESULT) as text:
        json.dump(scored.as_json(), text, allow_nan=False)
