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
    ModelSystem.IIRC_LINKS: "lacuna.train.papers.iirc.links.reading:load_link_chooser",
    ModelSystem.IIRC_CONTEXT: "lacuna.train.papers.iirc.context.reading:load_window_chooser",
    ModelSystem.IIRC_PAPER: "lacuna.train.papers.iirc.staged:load_staged",
    ModelSystem.IIRC_UNANSWERABLE: "lacuna.train.papers.iirc.staged:load_staged",
}
"""What opens a trained network of each system, as MODULE:FUNCTION."""


def load_torch_backend(folder: ModelFolder, *arguments: Any) -> Any:
    """The backend of a model that was not exported; ``arguments`` are those of its loader."""
    if not folder.network.is_file():
        raise LacunaError(
            f"the model in {folder.path} has no weights: {WEIGHTS} is missing. Get the model "
            "again, or train it anew."
        )
    system = ModelSystem(folder.config.get("system", ModelSystem.READER))
    module, _, function = LOADERS[system].partition(":")
    try:
        loader = getattr(import_module(module), function)
    except ImportError as problem:
        can_be = system in (ModelSystem.READER, ModelSystem.GAPQA)
        exported = " Or export it with `lacuna export`." if can_be else ""
        raise LacunaError(
            f"the model in {folder.path} is not exported, and to run it as it was trained torch "
            f"is needed: pip install 'lacuna-qa[train]'.{exported}"
        ) from problem
    return loader(folder, *arguments)
