"""The trained networks of a folder, by the names of their recipes, wherever in it they lie."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.models.model_folder import CONFIG
from lacuna.reproduce.source import NotHere


@dataclass(frozen=True, slots=True)
class TrainedRun:
    """One network: its folder, and the system that it is of."""

    folder: Path
    system: str


class TrainedRuns:
    """All networks below a folder; each recipe has one for every seed."""

    def __init__(self, folder: Path | None) -> None:
        if folder is not None and not folder.is_dir():
            raise LacunaError(f"{folder} is no folder. Give the one with trained runs as --runs.")
        self._runs: Mapping[str, list[TrainedRun]] = defaultdict(list)
        for name, run in _found(folder):
            self._runs[name].append(run)

    def named(self, recipe: str) -> list[TrainedRun]:
        """The networks of a recipe."""
        if runs := self._runs.get(recipe):
            return runs
        raise NotHere(
            f"no trained run of the recipe {recipe!r} is in the folder of --runs; `lacuna train` "
            "makes one"
        )


def _found(folder: Path | None) -> Iterator[tuple[str, TrainedRun]]:
    for config in sorted(folder.rglob(CONFIG)) if folder is not None else ():
        try:
            about = json.loads(config.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # an encoder's folder, or a file that is being written
            continue
        match about:
            case {"recipe": {"name": str(name)}, "system": str(system)}:
                yield name, TrainedRun(config.parent, system)
