"""The settings of a training run, on one page of TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, get_type_hints

from lacuna.errors import LacunaError

HEADS = (
    *("answer", "windows", "sentences", "links"),
    *("relevance", "choice", "yes_no_act", "follow_up_act", "verdict"),
)
POSITIVE = (
    *("epochs", "batch_tokens", "accumulate", "learning_rate"),
    *("keep_every", "check_every", "temperature"),
)
SHARES = ("warmup", "held_out", "distil_weight")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides what a run learns. Defaults suit the small encoder."""

    name: str
    encoder: str
    """A folder, or a name on the model hub; of a finished run the whole network is taken."""
    sources: dict[str, float]
    """How much of each source is seen in an epoch: 0.5 is half of it, 2 all of it twice."""
    weights: dict[str, float] = field(default_factory=dict)
    """How much each head's loss counts; 1 for heads that are not named."""
    tokenizer: str = ""
    """A folder with one, or the file; if empty, the shipped model's. A teacher has the same one."""
    seed: int = 13
    epochs: int = 2
    batch_tokens: int = 32_768
    accumulate: int = 1
    learning_rate: float = 2e-4
    warmup: float = 0.06
    weight_decay: float = 0.01
    precision: str = "bf16"
    held_out: float = 0.01
    """The share of training questions on which the loss is checked; never a dev file."""
    check_every: int = 500
    patience: int = 0
    """Checks without a better loss before the run stops; 0 never stops it."""
    keep_every: int = 500
    """Steps between two checkpoints."""
    distil_weight: float = 0.5
    """The share of the teacher in the loss, where there is one."""
    temperature: float = 2.0
    for_found: bool = False
    """Whether the network reads passages that a search found, beside a reader for all the rest; it
    is exported into the folder of that reader."""


def load_recipe(path: Path) -> Recipe:
    """Read a recipe; unknown settings and wrong types are errors."""
    return make_recipe(read_toml(path), str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The plain values of a recipe."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise LacunaError(f"there is no recipe {path}. Look into recipes/ for some.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise LacunaError(f"{path} is not valid TOML: {problem}. Correct that line.") from None


def make_recipe(raw: dict[str, Any], where: str) -> Recipe:
    """A recipe from plain values."""
    recipe = Recipe(**checked_settings(raw, Recipe, ("name", "encoder", "sources"), where))
    if unknown := sorted(recipe.weights.keys() - set(HEADS)):
        raise LacunaError(f"{where}: there is no head {unknown[0]!r}. Known: {_listed(HEADS)}.")
    if recipe.precision not in ("no", "fp16", "bf16"):
        raise LacunaError(f"{where}: 'precision' must be no, fp16 or bf16.")
    check_positive(recipe, POSITIVE, where)
    for name in SHARES:
        if not 0 <= getattr(recipe, name) <= 1:
            raise LacunaError(f"{where}: {name!r} must be from 0 to 1.")
    for name in ("sources", "weights"):
        for key, value in getattr(recipe, name).items():
            if value < 0:
                raise LacunaError(f"{where}: {name!r}, {key!r} must not be less than 0.")
    if not any(recipe.sources.values()):
        raise LacunaError(f"{where}: 'sources' names nothing to learn from.")
    return recipe


def checked_settings(
    raw: dict[str, Any], recipe_type: type, required: Iterable[str], where: str
) -> dict[str, Any]:
    """The settings of a recipe in their types; unknown and missing ones are errors."""
    hints = get_type_hints(recipe_type)
    names = {field.name for field in fields(recipe_type)}
    if unknown := sorted(raw.keys() - names):
        raise LacunaError(f"{where}: there is no setting {unknown[0]!r}. Known: {_listed(names)}.")
    for missing in (name for name in required if name not in raw):
        raise LacunaError(f"{where}: {missing!r} is missing.")
    return {
        name: checked_value(value, hints[name], f"{where}: {name!r}") for name, value in raw.items()
    }


def check_positive(recipe: Any, names: Iterable[str], where: str) -> None:
    """Refuse settings that are not more than 0."""
    for name in names:
        if getattr(recipe, name) <= 0:
            raise LacunaError(f"{where}: {name!r} must be more than 0.")


def checked_value(value: Any, wanted: Any, where: str) -> Any:
    """A value in the type of its setting; another type is an error."""
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if wanted in (tuple[int, ...], tuple[str, ...]) and isinstance(value, list):
        kind = int if wanted == tuple[int, ...] else str
        return tuple(checked_value(item, kind, where) for item in value)
    if wanted == dict[str, float] and isinstance(value, dict):
        return {key: checked_value(item, float, f"{where}, {key!r}") for key, item in value.items()}
    if (
        isinstance(wanted, type)
        and isinstance(value, wanted)
        and (wanted is bool) == isinstance(value, bool)
    ):
        return value
    raise LacunaError(f"{where} must be {getattr(wanted, '__name__', wanted)}, not {value!r}.")


def _listed(names: Any) -> str:
    return ", ".join(sorted(names))
