"""A whole run: data, teacher, training, and the folder that is left."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from lacuna.errors import LacunaError
from lacuna.models.model_folder import NETWORK, SHIPPED, TOKENIZER, find_model
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.cache import NAMES, Report, build_cache, cache_key
from lacuna.train.gpu_settings import set_up_gpu
from lacuna.train.instances import Instances
from lacuna.train.network import build
from lacuna.train.processes import this_process
from lacuna.train.recipe import Recipe, load_recipe
from lacuna.train.saved import load_network, save_network
from lacuna.train.teacher import Teacher
from lacuna.train.trainer import End, Ended, Progress, Training
from lacuna.version import __version__

MOST_PIECES = 2**16 - 1


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
        recipe = self.recipe
        training = (
            f"{recipe.epochs} epochs, {recipe.batch_tokens:,} tokens a batch × "
            f"{recipe.accumulate}, rate {recipe.learning_rate:g}, precision {recipe.precision}"
        )
        ready = "is there" if self.cache.exists() else "would be made"
        kept = (self.out / "checkpoint.pt").exists()
        return [
            ("data", f"{', '.join(self.names)} from {self.data}"),
            ("cache", f"{self.cache} {ready}"),
            ("encoder", recipe.encoder),
            ("teacher", str(self.teacher) if self.teacher else "none"),
            ("training", training),
            ("checkpoint", "there: the run would go on" if kept else "none yet"),
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
    tokenizer = Path(made.tokenizer or SHIPPED / "small")
    tokenizer = tokenizer / TOKENIZER if tokenizer.is_dir() else tokenizer
    vocabulary = _vocabulary(tokenizer)
    if teacher is not None and _vocabulary(find_model(teacher).tokenizer) != vocabulary:
        raise LacunaError(
            f"the teacher in {teacher} has another tokenizer, so its scores are of other tokens. "
            "Name one tokenizer in the recipes of both."
        )
    return Planned(made, data, out, tokenizer, teacher)


def _vocabulary(tokenizer: Path) -> dict[str, int]:
    if not tokenizer.is_file():
        raise LacunaError(
            f"there is no {tokenizer}. Name a folder with a {TOKENIZER}, or the file itself, as "
            "'tokenizer' in the recipe."
        )
    try:
        vocabulary = Tokenizer(tokenizer).vocabulary
    except Exception as problem:  # what the tokenizer's library raises has no class of its own
        raise LacunaError(f"{tokenizer} is of no use here: {problem}.") from problem
    if max(vocabulary.values()) > MOST_PIECES:
        raise LacunaError(f"{tokenizer} has more than the {MOST_PIECES:,} pieces that caches hold.")
    return vocabulary


def prepare(
    planned: Planned, workers: int, progress: Callable[[int], None] | None = None
) -> Report:
    """Make the cache, if it is not there yet. Of several processes, the main one makes it."""
    with this_process().main_process_first():
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


def in_main_process() -> bool:
    """Whether this is the process that speaks, where several train together."""
    return bool(this_process().is_main_process)


def taught(
    planned: Planned, progress: Callable[[int], None] | None = None, *, until: float = math.inf
) -> Teacher | None:
    """The teacher's scores over the data, made once; not complete if time ran out."""
    if planned.teacher is None:
        return None
    data = Instances.load(planned.cache)
    weights = sha256((planned.teacher / NETWORK).read_bytes()).hexdigest()
    of = f"{planned.cache.stem} {weights[:16]}"
    with this_process().main_process_first():
        teacher = Teacher(planned.out / "teacher", data, of)
        if not teacher.complete and in_main_process():
            device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
            network = load_network(planned.teacher).to(device)
            teacher.fill(network, device, progress, until=until)
    return teacher


def begin(planned: Planned, teacher: Teacher | None = None) -> Training:
    """Everything that a run needs in place, and what an earlier one left taken up."""
    set_up_gpu()
    # Here, and not before a teacher draws from them: a run must not depend on when it was stopped.
    torch.manual_seed(planned.recipe.seed)
    network = build(planned.recipe.encoder, Tokenizer(planned.tokenizer).vocabulary)
    data = Instances.load(planned.cache)
    return Training(planned.recipe, network, data, planned.out, source_names=NAMES, teacher=teacher)


def learn(
    planned: Planned,
    training: Training,
    progress: Progress | None = None,
    *,
    until: float = math.inf,
) -> Ended:
    """Train, and write the model when the run is through."""
    ended = training.run(progress, until=until)
    if ended.why is not End.LATE and in_main_process():
        save_network(training.network, planned.tokenizer, planned.out, about(planned, ended))
    return ended


def about(planned: Planned, ended: Ended) -> dict[str, Any]:
    """What is kept of a run with its model; no path of the machine it was made on."""
    recipe = asdict(planned.recipe)
    for name in ("encoder", "tokenizer"):
        if Path(recipe[name]).exists():
            recipe[name] = Path(recipe[name]).name
    return {"version": __version__, "recipe": recipe, "steps": ended.steps}
