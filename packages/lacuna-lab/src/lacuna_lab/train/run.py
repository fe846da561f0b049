"""A whole run: data, teacher, training, and the model that results."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError
from lacuna.models.model_folder import MODES_KEY, NETWORK, SHIPPED, TOKENIZER, find_model
from lacuna.models.reader.encode import Tokenizer
from lacuna.version import __version__
from lacuna_lab.data.sources import NAMES, SOURCES, source_files
from lacuna_lab.train.cache import CacheReport, Label, build_cache, cache_key
from lacuna_lab.train.checkpoint import (
    CHECKPOINT,
    Progress,
    StopReason,
    best_device,
    in_main_process,
    set_up_gpu,
    this_process,
)
from lacuna_lab.train.distillation import Teacher
from lacuna_lab.train.export import is_exported, restored
from lacuna_lab.train.instances import Instances
from lacuna_lab.train.network import build, is_trained, load_network, save_network
from lacuna_lab.train.recipe import Recipe, load_recipe
from lacuna_lab.train.trainer import Training, TrainingEnd

MOST_TOKENS = 2**16 - 1


@dataclass(frozen=True)
class TrainingPlan:
    """A recipe and the folders it works with."""

    recipe: Recipe
    data: Path
    out: Path
    tokenizer: Path
    teacher: Path | None

    @property
    def names(self) -> list[str]:
        """The sources that the recipe uses."""
        return [name for name in NAMES if self.recipe.sources.get(name, 0.0) > 0]

    @cached_property
    def cache(self) -> Path:
        """The tokenised data."""
        key = cache_key(self.names, self.data, self.tokenizer, self.recipe.seed)
        return self.out / f"data-{key}.npz"

    def described(self) -> list[tuple[str, str]]:
        """The steps of the run in words."""
        recipe = self.recipe
        training = (
            f"{recipe.epochs} epochs, {recipe.batch_tokens:,} tokens a batch × "
            f"{recipe.accumulate}, rate {recipe.learning_rate:g}, precision {recipe.precision}"
        )
        ready = "is there" if self.cache.exists() else "would be made"
        resumed = (self.out / CHECKPOINT).exists()
        return [
            ("data", f"{', '.join(self.names)} from {self.data}"),
            ("cache", f"{self.cache} {ready}"),
            ("encoder", recipe.encoder),
            ("teacher", str(self.teacher) if self.teacher else "none"),
            ("training", training),
            ("checkpoint", "there: the run would go on" if resumed else "none yet"),
        ]


def plan_run(
    recipe: Path, data: Path, out: Path, *, encoder: str | None = None, teacher: Path | None = None
) -> TrainingPlan:
    """Check everything that can be checked before any work is done."""
    settings = load_recipe(recipe)
    if encoder is not None:
        settings = replace(settings, encoder=encoder)
    if unknown := sorted(settings.sources.keys() - set(NAMES)):
        raise LacunaError(f"{recipe}: no source {unknown[0]!r}. Known: {', '.join(NAMES)}.")
    if not data.is_dir():
        raise LacunaError(f"{data} is no folder. Give the one with the datasets as --data.")
    tokenizer = Path(settings.tokenizer or SHIPPED / "small")
    tokenizer = tokenizer / TOKENIZER if tokenizer.is_dir() else tokenizer
    vocabulary = _vocabulary(tokenizer)
    trained = Path(settings.encoder)
    for what, model in (
        ("teacher", teacher),
        ("trained model", trained if is_trained(trained) else None),
    ):
        if model is not None and _vocabulary(find_model(model).tokenizer) != vocabulary:
            raise LacunaError(
                f"the {what} in {model} has another tokenizer, so it knows other tokens. Name one "
                "tokenizer in the recipes of both."
            )
    plan = TrainingPlan(settings, data, out, tokenizer, teacher)
    source_files(plan.names, data)  # names a file that is missing
    return plan


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
    if max(vocabulary.values()) > MOST_TOKENS:
        raise LacunaError(f"{tokenizer} has more than the {MOST_TOKENS:,} tokens that caches hold.")
    return vocabulary


def prepare(
    plan: TrainingPlan,
    labelling: Callable[[], AbstractContextManager[Label]],
    progress: Progress | None = None,
) -> CacheReport:
    """Make the cache, if it is not there yet. Of several processes, the main one makes it.

    ``labelling`` opens what labels, where there is something to label.
    """
    with this_process().main_process_first():
        if plan.cache.exists():
            report: CacheReport = json.loads(plan.cache.with_suffix(".json").read_text("utf-8"))
            return report
        with labelling() as label:
            return build_cache(
                plan.names,
                plan.data,
                plan.cache,
                label,
                seed=plan.recipe.seed,
                progress=progress,
            )


def teacher_scores(
    plan: TrainingPlan, progress: Progress | None = None, *, until: float = math.inf
) -> Teacher | None:
    """The teacher's scores over the data, made once; not complete if time ran out."""
    if plan.teacher is None:
        return None
    data = Instances.load(plan.cache)
    weights = sha256((plan.teacher / NETWORK).read_bytes()).hexdigest()
    of = f"{data.digest()} {weights[:16]}"
    with this_process().main_process_first():
        teacher = Teacher(plan.out / "teacher", data, of)
        if not teacher.complete and in_main_process():
            device = best_device()
            network = load_network(plan.teacher).to(device)
            teacher.fill(network, device, progress, until=until)
    return teacher


def begin(plan: TrainingPlan, teacher: Teacher | None = None) -> Training:
    """A run with everything in place, where an earlier one has left it."""
    set_up_gpu()
    # Here, and not before a teacher draws from them: a run must not depend on when it was stopped.
    torch.manual_seed(plan.recipe.seed)
    start = Path(plan.recipe.encoder)
    exported = start if is_exported(start) else SHIPPED / plan.recipe.encoder
    if is_trained(start):
        network = load_network(start)
    elif is_exported(exported):
        network = restored(exported)
    else:
        network = build(plan.recipe.encoder, Tokenizer(plan.tokenizer).vocabulary)
    data = Instances.load(plan.cache)
    return Training(plan.recipe, network, data, plan.out, source_names=NAMES, teacher=teacher)


def learn(
    plan: TrainingPlan,
    training: Training,
    progress: Progress | None = None,
    *,
    until: float = math.inf,
) -> TrainingEnd:
    """Train, and write the model when the run is through."""
    end = training.run(progress, until=until)
    if end.reason is not StopReason.TIME and in_main_process():
        save_network(training.network, plan.tokenizer, plan.out, about(plan, end))
    return end


def about(plan: TrainingPlan, end: TrainingEnd) -> dict[str, Any]:
    """The notes on its training in a model's config; no path of the machine it ran on."""
    recipe = asdict(plan.recipe)
    for name in ("encoder", "tokenizer"):
        if Path(recipe[name]).exists():
            recipe[name] = Path(recipe[name]).name
    modes = {mode for name in plan.names for mode in SOURCES[name].modes}
    learned = [str(mode) for mode in AnswerMode if mode in modes]
    return {"version": __version__, "recipe": recipe, "steps": end.steps, MODES_KEY: learned}
