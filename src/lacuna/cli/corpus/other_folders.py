"""What `lacuna corpus check` says of folders that are no corpora: knowledge bases and models."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class OtherFolder(NamedTuple):
    """A knowledge base or a model, and which of its files are damaged."""

    has_checksums: bool
    damaged: list[str]
    remedy: str


def look_at(folder: Path) -> OtherFolder | None:
    """Compare the files of a knowledge base or a model with their checksums; None if it is none."""
    from lacuna.files.checksums import damaged_files, read_checksums
    from lacuna.models.model_folder import CONFIG, NETWORK, WEIGHTS
    from lacuna.retrieve.knowledge.knowledge_base import (
        damaged_knowledge,
        is_knowledge,
        parts_of,
    )

    if is_knowledge(folder):
        sealed = all(read_checksums(part) is not None for part in parts_of(folder))
        build_again = "build it again with `lacuna knowledge`"
        return OtherFolder(sealed, damaged_knowledge(folder), build_again)
    sealed = read_checksums(folder) is not None
    has_weights = any((folder / name).is_file() for name in (WEIGHTS, NETWORK))
    if (folder / CONFIG).is_file() and (sealed or has_weights):
        return OtherFolder(sealed, damaged_files(folder), "get the model again, or train it anew")
    return None
