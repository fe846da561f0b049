"""The folder of a model: its files, their checksums, and the versions that they fit."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from lacuna.errors import LacunaError
from lacuna.files.checksums import read_checksums, remove_checksums, write_checksums
from lacuna.files.writing import replace_text

SHIPPED = Path(__file__).parent.parent / "assets" / "models"
WEIGHTS, TOKENIZER, CONFIG = "model.onnx", "tokenizer.json", "config.json"
FOUND_WEIGHTS = "found.onnx"
"""Weights of their own for passages that a search found."""
NETWORK = "network.safetensors"
"""The weights as they were trained, before the export to ``WEIGHTS``."""
WORDS = "words.txt"
"""The vocabulary of a model that reads words, not word pieces; one a line."""
ENCODER = "encoder"
"""The folder with the shape of the encoder that was trained."""
_OF_TERMS = ("terms.txt", "directions.npy", "weights.npy")
READ = frozenset((WEIGHTS, FOUND_WEIGHTS, TOKENIZER, CONFIG, NETWORK, WORDS, *_OF_TERMS))
"""The files that a model or a table of term vectors is read from."""
TEMPERATURE = "temperature"
MODES_KEY = "answer_modes"
"""The modes that a reader has learned; one that does not know found passages reads them as ask."""


class ModelSystem(StrEnum):
    """The system that a model is made for; a configuration that does not say is that of a
    reader."""

    READER = "reader"
    GAPQA = "gapqa"
    HOTPOTQA_PAPER = "hotpotqa-paper"
    QUAC_PAPER = "quac-paper"
    IIRC_LINKS = "iirc-links"
    IIRC_CONTEXT = "iirc-context"
    IIRC_PAPER = "iirc-paper"
    IIRC_UNANSWERABLE = "iirc-unanswerable"
    BIDAF = "bidaf"
    QUESTION_TO_CHOICE = "question-to-choice"
    ESIM = "esim"
    KER = "ker"


FORMATS = {
    ModelSystem.READER: 2,
    ModelSystem.GAPQA: 1,
    ModelSystem.HOTPOTQA_PAPER: 1,
    ModelSystem.QUAC_PAPER: 1,
    ModelSystem.IIRC_LINKS: 1,
    ModelSystem.IIRC_CONTEXT: 1,
    ModelSystem.IIRC_PAPER: 1,
    ModelSystem.IIRC_UNANSWERABLE: 1,
    ModelSystem.BIDAF: 1,
    ModelSystem.QUESTION_TO_CHOICE: 1,
    ModelSystem.ESIM: 1,
    ModelSystem.KER: 1,
}
"""Raised when inputs or heads change, so that an older model is refused instead of misread."""
DEFAULTS = {ModelSystem.READER: "small", ModelSystem.GAPQA: "gapqa"}
"""The models that are shipped."""
NAMES = {
    ModelSystem.READER: "model",
    ModelSystem.GAPQA: "GapQA model",
    ModelSystem.HOTPOTQA_PAPER: "model of HotpotQA's baseline",
    ModelSystem.QUAC_PAPER: "model of QuAC's BiDAF++",
    ModelSystem.IIRC_LINKS: "link model of IIRC's",
    ModelSystem.IIRC_CONTEXT: "context model of IIRC's",
    ModelSystem.IIRC_PAPER: "model of IIRC's reader",
    ModelSystem.IIRC_UNANSWERABLE: "model of IIRC's table 6",
    ModelSystem.BIDAF: "model of BiDAF",
    ModelSystem.QUESTION_TO_CHOICE: "model of OpenBookQA's Q2Choice",
    ModelSystem.ESIM: "model of ESIM",
    ModelSystem.KER: "model of the knowledge-enhanced reader",
}
"""Their names in messages."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder with weights, tokenizer, and how the model was trained and tuned."""

    path: Path
    config: dict[str, Any]

    @property
    def weights(self) -> Path:
        return self.path / WEIGHTS

    @property
    def found_weights(self) -> Path:
        return self.path / FOUND_WEIGHTS

    @property
    def network(self) -> Path:
        return self.path / NETWORK

    @property
    def tokenizer(self) -> Path:
        return self.path / TOKENIZER

    @property
    def kind(self) -> str:
        """The encoder of a GapQA model's rows: a transformer or a BiLSTM."""
        return str(self.config["kind"])

    @property
    def knowledge(self) -> str:
        """The part of a knowledge base that a GapQA model was trained with."""
        return str(self.config["knowledge"])

    @property
    def looked_up(self) -> str:
        """The part of a knowledge base that a paper's network reads; none if it reads none."""
        return str(self.config["recipe"].get("knowledge", "none"))

    @property
    def by_span(self) -> bool:
        """True if a GapQA model searches knowledge by the key span, or by the whole fact."""
        return bool(self.config["retrieve_by"] == "span")

    @property
    def temperature(self) -> float:
        """The divisor of a GapQA model's scores of choices; 1 unless it was tuned."""
        temperature = self.config.get(TEMPERATURE, 1.0)
        if not isinstance(temperature, int | float) or not 0 < temperature < math.inf:
            raise LacunaError(
                f"the temperature of the model in {self.path} is {temperature!r}, and must be a "
                f"number above 0. Set it to 1 in {CONFIG}, or get the model again."
            )
        return float(temperature)


def find_model(name: str | Path, *, system: ModelSystem = ModelSystem.READER) -> ModelFolder:
    """A shipped model by its name, or any folder that training wrote.

    A shipped name means the shipped model wherever one stands; a folder of the same name is
    given as ``./small``.
    """
    path = Path(name)
    if is_shipped(name):
        path = SHIPPED / path.name
    if not path.is_dir():
        shipped = f"the one that comes along ({DEFAULTS[system]}) or " if system in DEFAULTS else ""
        raise LacunaError(
            f"there is no {NAMES[system]} {str(name)!r}. Give {shipped}a folder that "
            "`lacuna train` wrote."
        )
    if not (path / CONFIG).is_file():
        raise _incomplete(path, CONFIG)
    verify_model(path)
    config = read_config(path)
    if config.get("system", ModelSystem.READER) != system:
        raise _of_another_system(path, config, system)
    if config.get("format") != FORMATS[system]:
        raise LacunaError(
            f"the model in {path} is of format {config.get('format')}, this version reads format "
            f"{FORMATS[system]}. Train or get the model again with this version."
        )
    if system is ModelSystem.READER and not (path / TOKENIZER).is_file():
        raise _incomplete(path, TOKENIZER)
    return ModelFolder(path, config)


def is_shipped(name: str | Path) -> bool:
    """Tell if a name is that of a shipped model."""
    path = Path(name)
    return path.name == str(name) and (SHIPPED / path.name / CONFIG).is_file()


def is_gapqa(folder: Path) -> bool:
    """Tell if a folder holds a GapQA model, whole or not."""
    return (folder / CONFIG).is_file() and read_config(folder).get("system") == ModelSystem.GAPQA


def is_of_a_paper(folder: Path) -> bool:
    """Tell if a folder holds a paper's own network, which no model that comes along is."""
    others = [system for system in ModelSystem if system not in DEFAULTS]
    return (folder / CONFIG).is_file() and read_config(folder).get("system") in others


def read_config(path: Path) -> dict[str, Any]:
    """The configuration of a model's folder."""
    try:
        return msgspec.json.decode((path / CONFIG).read_bytes(), type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise LacunaError(
            f"{path / CONFIG} is not a model's configuration ({problem}). Get the model again."
        ) from problem


def write_config(path: Path, config: Mapping[str, Any]) -> None:
    """Write the configuration of a model's folder, last of its files; then their checksums."""
    remove_checksums(path)
    with replace_text(path / CONFIG) as out:
        json.dump(config, out, indent=1, ensure_ascii=False)
        out.write("\n")
    seal_model(path)


def seal_model(path: Path) -> None:
    """Write the checksums of a model's files as they are now."""
    files = (file for file in path.rglob("*") if file.is_file() and not file.name.startswith("."))
    names = (file.relative_to(path).as_posix() for file in files)
    write_checksums(path, [name for name in names if _is_read(name)])


def verify_model(path: Path) -> None:
    """Refuse a model whose files are not as they were written; one without checksums is trusted."""
    checksums = read_checksums(path)
    if checksums is not None and (hit := checksums.damaged(path)):
        raise LacunaError(
            f"the model in {path} is damaged: {', '.join(hit)} is not as it was written. Get "
            "the model again, or train it anew. If you changed it yourself, run "
            f"`python -m lacuna.models.checksums {path}`."
        )


def _is_read(name: str) -> bool:
    """Tell if a file of a model's folder decides what the model says."""
    return name in READ or name.startswith(f"{ENCODER}/")


def _incomplete(path: Path, missing: str) -> LacunaError:
    return LacunaError(
        f"{path} is no model folder: it has no {missing}. Give a folder that `lacuna train` wrote."
    )


def _of_another_system(path: Path, config: dict[str, Any], system: ModelSystem) -> LacunaError:
    if system is not ModelSystem.READER:
        return LacunaError(
            f"the model in {path} is no {NAMES[system]}. Leave out --system {system}, or give "
            "another model."
        )
    return LacunaError(
        f"the model in {path} is one for --system {config['system']}, not a reader. Name that "
        "system, or give another model."
    )
