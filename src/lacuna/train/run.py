"""A whole run: data, teacher, training, and the folder that is left."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch

from lacuna.errors import LacunaError
from lacuna.read.model_files import TOKENIZER
from lacuna.read.tokens import Pieces
from lacuna.train.cache import NAMES, Report, build_cache, cache_key
from lacuna.train.distil import Teacher
from lacuna.train.instances import Instances
from lacuna.train.loop import Ended, Progress, Training
from lacuna.train.model import build
from lacuna.train.recipe import Recipe, load_recipe
from lacuna.train.saved import load_network, save_network
from lacuna.version import __version__


@dataclass(frozen=True, slots=True)
class Planned:
    """A recipe and the places it works with."""

    recipe: Recipe
    data: Path
    out: Path
    tokenizer: Path
    teacher: Path | None

    @property
    def names(self) -> list[str]:
        return [name for name in NAMES if self.recipe.sources.get(name, 0.0) > 0]

    @property
    def cache(self) -> Path:
        key = cache_key(self.names, self.tokenizer, self.recipe.seed)
        return self.out / f"data-{key}.npz"

    def described(self) -> list[tuple[str, str]]:
        """The steps of the run in words."""
        ready = "is there" if self.cache.exists() else "would be made"
        recipe = self.recipe
        return [
            ("data", f"{', '.join(self.names)} from {self.data}"),
            ("cache", f"{self.cache} {ready}"),
            ("encoder", recipe.encoder),
            ("teacher", str(self.teacher) if self.teacher else "none"),
            (
                "training",
                f"{recipe.epochs} epochs, {recipe.batch_tokens:,} tokens a batch × "
                f"{recipe.accumulate}, rate {recipe.learning_rate:g}, precision {recipe.precision}",
            ),
            (
                "checkpoint",
                "there: the run would go on"
                if (self.out / "checkpoint.pt").exists()
                else "none yet",
            ),
        ]


def plan_run(
    recipe: Path, data: Path, out: Path, *, encoder: str | None = None, teacher: Path | None = None
) -> Planned:
    """Check everything that can be checked before any work is done."""
    made = load_recipe(recipe)
    if encoder is not None:
        made = replace(made, encoder=encoder)
    if unknown := sorted(made.sources.keys() - set(NAMES)):
        raise LacunaError(f"{recipe}: no source {unknown[0]!r}. Known: {', '.join(NAMES)}.")
    if not data.is_dir():
        raise LacunaError(f"{data} is no folder. Give the one with the datasets as --data.")
    tokenizer = Path(made.tokenizer or made.encoder)
    tokenizer = tokenizer / TOKENIZER if tokenizer.is_dir() else tokenizer
    if not tokenizer.is_file():
        raise LacunaError(
            f"there is no {tokenizer}. Give the encoder as a folder with its {TOKENIZER}: "
            "--encoder DIR."
        )
    return Planned(made, data, out, tokenizer, teacher)


def prepare(
    planned: Planned, workers: int, progress: Callable[[str, int], None] | None = None
) -> Report:
    """Make the cache, if it is not there yet."""
    if planned.cache.exists():
        report: Report = json.loads(planned.cache.with_suffix(".json").read_text("utf-8"))
        return report
    return build_cache(
        planned.names,
        planned.data,
        planned.tokenizer,
        planned.cache,
        seed=planned.recipe.seed,
        workers=workers,
        progress=progress,
    )


def learn(
    planned: Planned, progress: Progress | None = None, *, stop_after: float | None = None
) -> Ended:
    """Train, and write the model when the run is through."""
    torch.set_float32_matmul_precision("high")
    # cuDNN plans its attention anew for every shape of a batch, and no two batches are alike.
    torch.backends.cuda.enable_cudnn_sdp(False)
    torch.manual_seed(planned.recipe.seed)
    data = Instances.load(planned.cache)
    teacher = _taught(planned, data) if planned.teacher else None
    network = build(planned.recipe.encoder, Pieces(planned.tokenizer).vocabulary)
    training = Training(
        planned.recipe, network, data, planned.out, source_names=NAMES, teacher=teacher
    )
    ended = training.run(progress, stop_after=stop_after or float("inf"))
    if ended.steps == training.steps or ended.stopped_early:
        save_network(training.network, planned.tokenizer, planned.out, about(planned, ended))
    return ended


def about(planned: Planned, ended: Ended) -> dict[str, Any]:
    """What is kept of a run with its model; no path of the machine it was made on."""
    recipe = asdict(planned.recipe)
    recipe["encoder"] = Path(recipe["encoder"]).name
    recipe["tokenizer"] = Path(recipe["tokenizer"]).name
    return {"version": __version__, "recipe": recipe, "steps": ended.steps}


def _taught(planned: Planned, data: Instances) -> Teacher:
    """The teacher's scores over the data, made once."""
    assert planned.teacher is not None
    folder = planned.out / "teacher"
    done = folder / "done"
    if not done.exists():
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        network = load_network(planned.teacher).to(device)
        Teacher(folder, data, mode="w+").fill(network, data, device)
        done.touch()
    return Teacher(folder, data)
