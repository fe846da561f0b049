"""Fit GapQA's temperature: one number by which the scores of all choices are divided.

It changes how confident the model is, but no choice. It is fitted on questions with answers that
the model was not trained on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lacuna.datasets.openbookqa import right_choice
from lacuna.metrics.calibration import calibration_error
from lacuna.models.gapqa.backend import Floats
from lacuna.models.model_folder import TEMPERATURE, ModelFolder, write_config
from lacuna.models.reader.decode import log_softmax
from lacuna.models.reader.thresholds import check_enough
from lacuna.pipeline.result import Result
from lacuna.types import Question

Scores = list[Floats]
"""The scores of each question's choices."""
SEED = 20190901
LOWEST, HIGHEST = 0.1, 10.0
"""Beyond these, a file says too little: every choice is right in it, or none."""
STEPS = 60


@dataclass(frozen=True, slots=True)
class FittedTemperature:
    """A temperature, and what it is worth on questions that it was not fitted on."""

    temperature: float
    error_before: float
    error_after: float
    questions: int


def fit_temperature(results: Iterable[tuple[Question, Result]]) -> FittedTemperature:
    """Fit on questions with their results; those whose right choice is not known are left out."""
    pairs = [(result, right_choice(question)) for question, result in results]
    pairs = [(result, number) for result, number in pairs if number >= 0]
    check_enough(len(pairs))
    scores = [
        np.array(
            [scored.fact_score + scored.relation_score for scored in result.choices], np.float32
        )
        for result, _ in pairs
    ]
    right = np.array([number for _, number in pairs])
    halves = np.array_split(np.random.default_rng(SEED).permutation(len(pairs)), 2)
    after = [
        _error(_part(scores, other), right[other], fit(_part(scores, half), right[half]))
        for half, other in (halves, halves[::-1])
    ]
    fitted = round(fit(scores, right), 3)
    return FittedTemperature(fitted, _error(scores, right, 1.0), float(np.mean(after)), len(pairs))


def fit(scores: Scores, right: Sequence[int] | NDArray[np.int64]) -> float:
    """The temperature at which the right choices are likeliest.

    Their likelihood has one peak in its inverse, so that halving finds it.
    """
    low, high = 1 / HIGHEST, 1 / LOWEST
    for _ in range(STEPS):
        middle = np.float32((low * high) ** 0.5)
        slope = sum(
            float(some[number] - np.exp(log_softmax(middle * some)) @ some)
            for some, number in zip(scores, right, strict=True)
        )
        low, high = (float(middle), high) if slope > 0 else (low, float(middle))
    return float(1 / low)


def _part(scores: Scores, numbers: NDArray[np.int64]) -> Scores:
    return [scores[number] for number in numbers]


def _error(scores: Scores, right: NDArray[np.int64], temperature: float) -> float:
    likely = [np.exp(log_softmax(some / np.float32(temperature))) for some in scores]
    hits = [int(some.argmax()) == number for some, number in zip(likely, right, strict=True)]
    return calibration_error([float(some.max()) for some in likely], hits)


def save_temperature(folder: ModelFolder, temperature: float) -> None:
    """Write it into the model's configuration."""
    write_config(folder.path, {**folder.config, TEMPERATURE: temperature})
