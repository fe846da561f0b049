"""Where a model's files are, and whether they fit this version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text

SHIPPED = Path(__file__).parent.parent / "assets" / "models"
FORMAT = 2
"""Raised when inputs or heads change, so that an older model is refused instead of misread."""
WEIGHTS, TOKENIZER, CONFIG = "model.onnx", "tokenizer.json", "config.json"
NETWORK = "network.safetensors"
"""The weights as they were trained, before the export to ``WEIGHTS``."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder with weights, tokenizer and what was measured of them."""

    path: Path
    config: dict[str, Any]

    @property
    def weights(self) -> Path:
        return self.path / WEIGHTS

    @property
    def tokenizer(self) -> Path:
        return self.path / TOKENIZER


def find_model(name: str | Path) -> ModelFolder:
    """A shipped model by its name, or any folder that training wrote.

    A shipped name means the shipped model wherever one stands; a folder of the same name is
    given as ``./small``.
    """
    path = Path(name)
    if path.name == str(name) and (SHIPPED / path.name / CONFIG).is_file():
        path = SHIPPED / path.name
    if not path.is_dir():
        raise LacunaError(
            f"there is no model {str(name)!r}. Give the one that comes along (small) or the folder "
            "that `lacuna train` wrote."
        )
    return ModelFolder(path, _config(path))


def read_config(path: Path) -> dict[str, Any]:
    """The configuration of a model's folder."""
    try:
        return msgspec.json.decode((path / CONFIG).read_bytes(), type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise LacunaError(
            f"{path / CONFIG} is not a model's configuration ({problem}). Get the model again."
        ) from problem


def write_config(path: Path, config: Mapping[str, Any]) -> None:
    """Keep the configuration of a model's folder."""
    with replace_text(path / CONFIG) as out:
        json.dump(config, out, indent=1, ensure_ascii=False)
        out.write("\n")


def _config(path: Path) -> dict[str, Any]:
    for name in (CONFIG, TOKENIZER):
        if not (path / name).is_file():
            raise LacunaError(
                f"{path} is no model folder: it has no {name}. Give a folder that "
                "`lacuna train` wrote."
            )
    config = read_config(path)
    if "system" in config:
        raise LacunaError(
            f"the model in {path} is one for --system {config['system']}, not a reader. Name that "
            "system, or give another model."
        )
    if config.get("format") != FORMAT:
        raise LacunaError(
            f"the model in {path} is of format {config.get('format')}, this version reads format "
            f"{FORMAT}. Train or get the model again with this version."
        )
    if not any((path / weights).is_file() for weights in (WEIGHTS, NETWORK)):
        raise LacunaError(
            f"the model in {path} has no weights: {WEIGHTS} is missing. Get the model again."
        )
    return config
