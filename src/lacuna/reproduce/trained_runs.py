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
    went_on: bool = False
    """Whether it began with another trained network: it is not the same as one from scratch."""


class TrainedRuns:
    """All networks below a folder; each recipe has one for every seed."""

    def __init__(self, folder: Path | None) -> None:
        if folder is not None and not folder.is_dir():
            raise LacunaError(f"{folder} is no folder. Give the one with trained runs as --runs.")
        self._runs: Mapping[str, list[TrainedRun]] = defaultdict(list)
        for name, run in _found(folder):
            self._runs[name].append(run)

    def named(self, recipe: str, *, went_on: bool | None = None) -> list[TrainedRun]:
        """The networks of a recipe: all, or those that went on from another network or did not."""
        runs = self._runs.get(recipe, [])
        if runs := [run for run in runs if went_on in (None, run.went_on)]:
            return runs
        which = {None: "", True: " that went on from another network", False: " from scratch"}
        raise NotHere(
            f"no trained run of the recipe {recipe!r}{which[went_on]} is in the folder of --runs; "
            "`lacuna train` makes one"
        )


def _found(folder: Path | None) -> Iterator[tuple[str, TrainedRun]]:
    for config in sorted(folder.rglob(CONFIG)) if folder is not None else ():
        try:
            about = json.loads(config.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # an encoder's folder, or a file that is being written
            continue
        match about:
            case {"recipe": {"name": str(name), **recipe}, "system": str(system)}:
                yield name, TrainedRun(config.parent, system, bool(recipe.get("begin")))
