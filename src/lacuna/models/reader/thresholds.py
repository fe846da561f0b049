"""What was fitted on held-out questions after training, for each answer mode."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from lacuna.answer_mode import AnswerMode
from lacuna.errors import LacunaError
from lacuna.models.calibration import Calibration
from lacuna.models.model_folder import ModelFolder, write_config
from lacuna.types import AnswerKind

KEY = "tuning"
OVER_CORPUS = "tuning_over_corpus"
"""What was fitted with texts that were searched for, where more of them mislead."""
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
    """Which of the thresholds an answer of that kind must pass."""
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
        """What a model's configuration keeps of it."""
        calibration = None if self.calibration is None else self.calibration.as_json()
        return {"no_answer_thresholds": self.thresholds._asdict(), "calibration": calibration}


def check_enough(answered: int) -> None:
    """Refuse to tune on too few questions with answers."""
    if answered < FEWEST:
        raise LacunaError(
            f"{answered} questions with answers are too few to tune on; give a file with at "
            f"least {FEWEST}."
        )


def tunings(config: Mapping[str, Any], key: str = KEY) -> dict[AnswerMode, Tuning]:
    """Those that a model's configuration has; a mode without one goes as it was trained."""
    try:
        return {AnswerMode(mode): _tuning(raw) for mode, raw in config.get(key, {}).items()}
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise LacunaError(
            f"the model's tuning is damaged ({problem}). Get the model again."
        ) from None


def keep_tuning(folder: ModelFolder, mode: AnswerMode, tuning: Tuning, key: str = KEY) -> None:
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
