"""From a model's scores to a confidence: thresholds, calibration, the answer scorer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError
from lacuna.metrics.calibration import calibration_error
from lacuna.models.model_folder import ModelFolder, write_config
from lacuna.types import AnswerKind

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


SEED = 20201116


@dataclass(frozen=True, slots=True)
class Calibration:
    """A line through knots, flat before the first and after the last.

    >>> Calibration((-1.0, 1.0), (0.2, 0.8)).apply(0.0)
    0.5
    """

    scores: tuple[float, ...]
    confidences: tuple[float, ...]

    def __post_init__(self) -> None:
        rising = all(low < high for low, high in pairwise(self.scores))
        in_order = all(low <= high for low, high in pairwise(self.confidences))
        sound = all(0.0 <= value <= 1.0 for value in self.confidences)
        if not self.scores or len(self.scores) != len(self.confidences):
            raise ValueError("a calibration needs as many confidences as scores, at least one")
        if not (rising and in_order and sound):
            raise ValueError("a calibration's scores rise, and its confidences too, from 0 to 1")

    def apply(self, score: float) -> float:
        """The confidence that the score stands for."""
        return float(self.apply_all(score))

    def apply_all(self, scores: ArrayLike) -> Array:
        """The confidences of many scores."""
        given: Array = np.asarray(scores, dtype=float)
        return np.asarray(np.interp(given, self.scores, self.confidences), dtype=float)

    def as_json(self) -> dict[str, list[float]]:
        """Make the form that a model's configuration holds."""
        return {"scores": list(self.scores), "confidences": list(self.confidences)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Calibration:
        """The calibration that stands in a model's configuration."""
        try:
            scores, confidences = value["scores"], value["confidences"]
            return cls(tuple(map(float, scores)), tuple(map(float, confidences)))
        except (KeyError, TypeError, ValueError) as error:
            raise LacunaError(
                f"The model's calibration is damaged ({error}). Get the model again."
            ) from error


def fit_isotonic(scores: ArrayLike, right: ArrayLike) -> Calibration:
    """The best line that never falls: neighbours that stand in the wrong order share their mean."""
    given, wanted = _pairs(scores, right)
    distinct, place = np.unique(given, return_inverse=True)
    counts, sums = np.bincount(place), np.bincount(place, weights=wanted)
    blocks: list[tuple[int, float, float]] = []  # first score, count, sum
    for first, (count, total) in enumerate(zip(counts.tolist(), sums.tolist(), strict=True)):
        begin, size, summed = first, float(count), total
        while blocks and blocks[-1][2] * size >= summed * blocks[-1][1]:
            begin, more, extra = blocks.pop()
            size, summed = size + more, summed + extra
        blocks.append((begin, size, summed))
    ends = [block[0] - 1 for block in blocks[1:]] + [len(distinct) - 1]
    knots: dict[float, float] = {}
    for (begin, size, summed), end in zip(blocks, ends, strict=True):
        knots[distinct[begin]] = knots[distinct[end]] = summed / size
    return _calibration(np.array(list(knots)), np.array(list(knots.values())))


def cross_fitted_error(
    fit: Callable[[Array, Array], Calibration], scores: ArrayLike, right: ArrayLike
) -> float:
    """The calibration error to expect on new data: each half is measured by the other's fit."""
    given, wanted = _pairs(scores, right)
    if len(given) < 2:
        raise ValueError("two halves need at least two scores")
    order = np.random.default_rng(SEED).permutation(len(given))
    halves = np.array_split(order, 2)
    errors = [
        calibration_error(fit(given[half], wanted[half]).apply_all(given[other]), wanted[other])
        for half, other in (halves, halves[::-1])
    ]
    return float(np.mean(errors))


def _pairs(scores: ArrayLike, right: ArrayLike) -> tuple[Array, Array]:
    given, wanted = np.asarray(scores, dtype=float), np.asarray(right, dtype=float)
    if given.ndim != 1 or given.shape != wanted.shape or not len(given):
        raise ValueError("a calibration is fitted on as many outcomes as scores, at least one")
    if not np.isfinite(given).all() or not ((wanted >= 0) & (wanted <= 1)).all():
        raise ValueError("scores must be finite, and outcomes between 0 and 1")
    return given, wanted


def _calibration(scores: Array, confidences: Array) -> Calibration:
    # Rounding may leave neighbours a last digit out of order.
    ordered = np.clip(np.maximum.accumulate(confidences), 0.0, 1.0)
    return Calibration(tuple(scores.tolist()), tuple(ordered.tolist()))


SCORER_KEY = "answer_scorer"
"""The key under which a model's configuration keeps it."""


@dataclass(frozen=True, slots=True)
class AnswerScorer:
    """Weights by the name of a feature; features without a weight count for nothing.

    An answer's score is how much likelier it is right than none of those at hand, in log-odds.

    >>> AnswerScorer({"margin": 0.5}, -1.0).score({"margin": 2.0, "rank": 7.0})
    0.0
    """

    weights: Mapping[str, float]
    bias: float

    def score(self, features: Mapping[str, float]) -> float:
        """The log-odds of one answer against none."""
        return self.bias + sum(w * features.get(name, 0.0) for name, w in self.weights.items())

    def probabilities(self, answers: Sequence[Mapping[str, float]]) -> list[float]:
        """The chance of each answer to be the right one; what is missing to 1 is that of none.

        >>> AnswerScorer({}, 0.0).probabilities([{}, {}, {}])
        [0.25, 0.25, 0.25]
        """
        scores = [self.score(features) for features in answers]
        most = max(scores, default=0.0)
        shares = [math.exp(score - max(most, 0.0)) for score in scores]
        total = math.fsum(shares) + math.exp(-max(most, 0.0))
        return [share / total for share in shares]

    def as_json(self) -> dict[str, Any]:
        """Make the form that a model's configuration holds."""
        return {"weights": dict(self.weights), "bias": self.bias}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> AnswerScorer:
        """The scorer that stands in a model's configuration."""
        try:
            weights = {str(name): float(value) for name, value in raw["weights"].items()}
            scorer = cls(weights, float(raw["bias"]))
        except (AttributeError, KeyError, TypeError, ValueError) as problem:
            raise _damaged(str(problem)) from None
        if not all(map(math.isfinite, (*scorer.weights.values(), scorer.bias))):
            raise _damaged("a weight must be a number")
        return scorer


def _damaged(reason: str) -> LacunaError:
    return LacunaError(f"the model's answer scorer is damaged ({reason}). Get the model again.")


THRESHOLDS_KEY = "tuning"
OVER_CORPUS = "tuning_over_corpus"
"""The part that was fitted with texts that were searched for, where more of them mislead."""
FEWEST = 20
"""Questions below which nothing that is fitted can be trusted."""


class NoAnswerThresholds(NamedTuple):
    """By how much an answer must be likelier than none to be given, in log-odds.

    A model is not as ready to say yes or no, or a number, as it is to quote a text.
    """

    text: float = 0.0
    number: float = 0.0
    yes_no: float = 0.0

    @classmethod
    def same(cls, value: float) -> NoAnswerThresholds:
        """The same for every group of answers."""
        return cls(value, value, value)


def answer_group(kind: AnswerKind) -> int:
    """The threshold that an answer of that kind must pass."""
    match kind:
        case AnswerKind.NUMBER:
            return 1
        case AnswerKind.YES | AnswerKind.NO:
            return 2
        case _:
            return 0


@dataclass(frozen=True, slots=True)
class Tuning:
    """``thresholds`` decide between an answer and none; ``calibration`` turns the model's own
    confidence into one that can be taken at its word."""

    thresholds: NoAnswerThresholds = NoAnswerThresholds()  # noqa: RUF009 - a tuple cannot change
    calibration: Calibration | None = None

    def trusted(self, confidence: float) -> float:
        """A confidence that says how often such answers are right."""
        return confidence if self.calibration is None else self.calibration.apply(confidence)

    def as_json(self) -> dict[str, Any]:
        """Make the form that a model's configuration holds."""
        calibration = None if self.calibration is None else self.calibration.as_json()
        return {"no_answer_thresholds": self.thresholds._asdict(), "calibration": calibration}


def check_enough(answered: int) -> None:
    """Refuse to tune on too few questions with answers."""
    if answered < FEWEST:
        raise LacunaError(
            f"{answered} questions with answers are too few to tune on; give a file with at "
            f"least {FEWEST}."
        )


def tunings(config: Mapping[str, Any], key: str = THRESHOLDS_KEY) -> dict[AnswerMode, Tuning]:
    """The tunings in a model's configuration; a mode without one goes as it was trained."""
    try:
        return {AnswerMode(mode): _tuning(raw) for mode, raw in config.get(key, {}).items()}
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise LacunaError(
            f"the model's tuning is damaged ({problem}). Get the model again."
        ) from None


def keep_tuning(
    folder: ModelFolder, mode: AnswerMode, tuning: Tuning, key: str = THRESHOLDS_KEY
) -> None:
    """Write it into the model's configuration, beside those of other modes."""
    config = dict(folder.config)
    config[key] = {**config.get(key, {}), str(mode): tuning.as_json()}
    write_config(folder.path, config)


def _tuning(raw: Mapping[str, Any]) -> Tuning:
    values = {group: float(value) for group, value in raw["no_answer_thresholds"].items()}
    thresholds = NoAnswerThresholds(**values)
    if not all(map(math.isfinite, thresholds)):
        raise ValueError("a no-answer threshold must be a number")
    fitted = raw.get("calibration")
    return Tuning(thresholds, None if fitted is None else Calibration.from_json(fitted))
