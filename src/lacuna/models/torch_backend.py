"""Models as they were trained: the one place from which code that needs torch is loaded."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lacuna.errors import LacunaError
from lacuna.models.model_folder import WEIGHTS, ModelFolder, ModelSystem

LOADERS = {
    ModelSystem.READER: "lacuna.train.torch_model:load_backend",
    ModelSystem.GAPQA: "lacuna.train.gapqa.torch_model:load_gap_backend",
    ModelSystem.HOTPOTQA_PAPER: "lacuna.train.papers.torch_model:load_paper_reader",
    ModelSystem.QUAC_PAPER: "lacuna.train.papers.torch_model:load_paper_reader",
    ModelSystem.BIDAF: "lacuna.train.papers.torch_model:load_paper_reader",
    ModelSystem.QUESTION_TO_CHOICE: "lacuna.train.papers.torch_model:load_paper_reader",
    ModelSystem.ESIM: "lacuna.train.papers.torch_model:load_paper_reader",
    ModelSystem.KER: "lacuna.train.papers.torch_model:load_paper_reader",
}
"""What opens a trained network of each system, as MODULE:FUNCTION."""
SENTENCES = "lacuna.train.sentence_encoder:open_encoder"
"""What opens a pretrained encoder of sentences."""


def load_torch_backend(folder: ModelFolder, *arguments: Any) -> Any:
    """The backend of a model that was not exported; ``arguments`` are those of its loader."""
    if not folder.network.is_file():
        raise LacunaError(
            f"the model in {folder.path} has no weights: {WEIGHTS} is missing. Get the model "
            "again, or train it anew."
        )
    system = ModelSystem(folder.config.get("system", ModelSystem.READER))
    try:
        loader = _loader(LOADERS[system])
    except ImportError as problem:
        can_be = system in (ModelSystem.READER, ModelSystem.GAPQA)
        exported = " Or export it with `lacuna export`." if can_be else ""
        raise LacunaError(
            f"the model in {folder.path} is not exported, and to run it as it was trained torch "
            f"is needed: pip install 'lacuna-qa[train]'.{exported}"
        ) from problem
    return loader(folder, *arguments)


def load_sentence_encoder(name: str, threads: int | None) -> Any:
    """A pretrained encoder that was neither trained nor exported here."""
    try:
        loader = _loader(SENTENCES)
    except ImportError as problem:
        raise LacunaError(
            f"to run the pretrained encoder {name}, torch is needed: pip install "
            "'lacuna-qa[train]'."
        ) from problem
    return loader(name, threads)


def _loader(where: str) -> Any:
    module, _, function = where.partition(":")
    return getattr(import_module(module), function)
