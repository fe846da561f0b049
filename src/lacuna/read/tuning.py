"""What was fitted on held-out questions after training, for each style of answering."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna.read.calibration import Calibration
from lacuna.read.model_files import CONFIG, ModelFolder
from lacuna.read.style import Style

KEY = "tuning"
ASKING = "asking"
"""What was fitted with texts that were searched for, where more of them mislead."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """``doubt`` is by how much an answer must be likelier than none to be given (log-odds);
    ``confidence`` turns the model's own confidence into one that can be taken at its word."""

    doubt: float = 0.0
    confidence: Calibration | None = None

    def trusted(self, confidence: float) -> float:
        """A confidence that says how often such answers are right."""
        return confidence if self.confidence is None else self.confidence.apply(confidence)

    def as_json(self) -> dict[str, Any]:
        """What a model's configuration keeps of it."""
        kept = None if self.confidence is None else self.confidence.as_json()
        return {"doubt": self.doubt, "confidence": kept}


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
    with replace_text(folder.path / CONFIG) as out:
        json.dump(config, out, indent=1, ensure_ascii=False)
        out.write("\n")


def _tuning(raw: Mapping[str, Any]) -> Tuning:
    doubt = float(raw["doubt"])
    if not math.isfinite(doubt):
        raise ValueError("doubt must be a number")
    fitted = raw.get("confidence")
    return Tuning(doubt, None if fitted is None else Calibration.from_json(fitted))
