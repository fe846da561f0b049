"""Where a GapQA model's files are, and what it was trained to see."""

from __future__ import annotations

import math
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.models.model_folder import CONFIG, NETWORK, SHIPPED, ModelFolder, read_config

DEFAULT = "gapqa"
SYSTEM = "gapqa"
FORMAT = 1
"""Raised when rows, heads or relations change, so that an older model is refused, not misread."""
TEMPERATURE = "temperature"
WORDS = "words.txt"
"""The words of a model that reads words, not word pieces; one a line."""


class GapQAFolder(ModelFolder):
    """A folder with weights, tokenizer and how the model was trained."""

    @property
    def network(self) -> Path:
        return self.path / NETWORK

    @property
    def kind(self) -> str:
        return str(self.config["kind"])

    @property
    def knowledge(self) -> str:
        """The part of a knowledge base that it was trained with."""
        return str(self.config["knowledge"])

    @property
    def temperature(self) -> float:
        """What the scores of choices are divided by; 1 unless it was tuned."""
        kept = self.config.get(TEMPERATURE, 1.0)
        if not isinstance(kept, int | float) or not 0 < kept < math.inf:
            raise LacunaError(
                f"the temperature of the model in {self.path} is {kept!r}, and must be a number "
                f"above 0. Set it to 1 in {CONFIG}, or get the model again."
            )
        return float(kept)

    @property
    def by_span(self) -> bool:
        """Whether knowledge is searched by the key span, or by the whole fact."""
        return bool(self.config["retrieve_by"] == "span")


def is_gap_model(folder: Path) -> bool:
    """Whether a folder holds a GapQA model, whole or not."""
    return (folder / CONFIG).is_file() and read_config(folder).get("system") == SYSTEM


def find_gap_model(name: str | Path) -> GapQAFolder:
    """The shipped model by its name, or any folder that training wrote."""
    path = Path(name)
    if path.name == str(name) and (SHIPPED / path.name / CONFIG).is_file():
        path = SHIPPED / path.name
    if not (path / CONFIG).is_file():
        raise LacunaError(
            f"there is no GapQA model {str(name)!r}. Give {DEFAULT!r}, which comes along, or a "
            "folder that `lacuna train` wrote after a recipe for GapQA."
        )
    config = read_config(path)
    if config.get("system") != SYSTEM:
        raise LacunaError(
            f"the model in {path} is no GapQA model. Leave out --system gapqa, or give another one."
        )
    if config.get("format") != FORMAT:
        raise LacunaError(
            f"the model in {path} is of format {config.get('format')}, this version reads format "
            f"{FORMAT}. Train or get the model again with this version."
        )
    return GapQAFolder(path, config)
