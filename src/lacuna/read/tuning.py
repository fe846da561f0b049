"""What was fitted on held-out questions after training, for each style of answering."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from lacuna.errors import LacunaError
from lacuna.read.calibration import Calibration
from lacuna.read.model_files import ModelFolder, write_config
from lacuna.read.style import Style
from lacuna.types import AnswerKind

KEY = "tuning"
ASKING = "asking"
"""What was fitted with texts that were searched for, where more of them mislead."""
FEWEST = 20
"""Questions below which nothing that is fitted can be trusted."""


class Doubt(NamedTuple):
    """By how much an answer must be likelier than none to be given, in log-odds.

    A model is not as ready to say yes or no, or a number, as it is to quote a text.
    """

    text: float = 0.0
    number: float = 0.0
    yes_no: float = 0.0

    @classmethod
    def same(cls, value: float) -> Doubt:
        """As much for every sort of answer."""
        return cls(value, value, value)


def sort_of(kind: AnswerKind) -> int:
    """Which of the doubts is about an answer of that kind."""
    match kind:
        case AnswerKind.NUMBER:
            return 1
        case AnswerKind.YES | AnswerKind.NO:
            return 2
        case _:
            return 0


@dataclass(frozen=True, slots=True)
class Tuning:
    """``doubt`` decides between an answer and none; ``confidence`` turns the model's own confidence
    into one that can be taken at its word."""

    doubt: Doubt = Doubt()  # noqa: RUF009 - a tuple cannot change
    confidence: Calibration | None = None

    def trusted(self, confidence: float) -> float:
        """A confidence that says how often such answers are right."""
        return confidence if self.confidence is None else self.confidence.apply(confidence)

    def as_json(self) -> dict[str, Any]:
        """What a model's configuration keeps of it."""
        kept = None if self.confidence is None else self.confidence.as_json()
        return {"doubt": self.doubt._asdict(), "confidence": kept}


def check_enough(answered: int) -> None:
    """Refuse to tune on too few questions with answers."""
    if answered < FEWEST:
        raise LacunaError(
            f"{answered} questions with answers are too few to tune on; give a file with at "
            f"least {FEWEST}."
        )


def tunings(config: Mapping[str, Any], key: str = KEY) -> dict[Style, Tuning]:
    """Those that a model's configuration has; a style without one goes as it was trained."""
    try:
        return {Style(style): _tuning(raw) for style, raw in config.get(key, {}).items()}
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise LacunaError(
            f"the model's tuning is damaged ({problem}). Get the model again."
        ) from None


def keep_tuning(folder: ModelFolder, style: Style, tuning: Tuning, key: str = KEY) -> None:
    """Write it into the model's configuration, beside those of other styles."""
    config = dict(folder.config)
    config[key] = {**config.get(key, {}), str(style): tuning.as_json()}
    write_config(folder.path, config)


def _tuning(raw: Mapping[str, Any]) -> Tuning:
    doubt = Doubt(**{sort: float(value) for sort, value in raw["doubt"].items()})
    if not all(map(math.isfinite, doubt)):
        raise ValueError("doubt must be a number")
    fitted = raw.get("confidence")
    return Tuning(doubt, None if fitted is None else Calibration.from_json(fitted))
