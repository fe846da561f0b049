"""Settings that need no option: in the environment, a project's file, or the user's.

The settings of a server stand in the environment alone: somebody else may have written a project's
file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

from msgspec import Meta

from lacuna.errors import LacunaError, no_such
from lacuna.files.settings import checked, read_toml, typed

Setting = list[str] | str | float | None
"""The value of a setting: paths, a name, or a number; None where a machine decides."""
Name = Annotated[str, Meta(min_length=1)]
PROJECT_FILE = Path("lacuna.toml")
"""In the folder one works in, and in none above it: who works there sees it."""


class SettingName(StrEnum):
    """What can be set; in a file by this name."""

    CORPUS = "corpus"
    MODEL = "model"
    MIN_CONFIDENCE = "min_confidence"
    THREADS = "threads"

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"LACUNA_{self.name}"


@dataclass(frozen=True, slots=True)
class UserSettings:
    """What a file may say; None where it says nothing."""

    corpus: Annotated[
        Name | Annotated[list[Name], Meta(min_length=1)] | None,
        Meta(title="a path or a list of paths"),
    ] = None
    model: Annotated[Name | None, Meta(title="the name of a model, or the path of its folder")] = (
        None
    )
    min_confidence: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None, Meta(title="a number from 0 to 1")
    ] = None
    threads: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(title="a whole number of at least 1")
    ] = None


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What the environment says about a server: LACUNA_WORKERS and so on."""

    workers: Annotated[int, Meta(ge=1, le=8, title="a whole number from 1 to 8")] = 1
    """Questions that are answered at the same time."""
    drain: Annotated[float, Meta(ge=0, le=3600, title="a number of seconds from 0 to 3600")] = 5.0
    """Seconds that questions in work have when the server is to end."""
    metrics_open: Annotated[bool, Meta(title="true or false")] = False
    """Give /metrics to everybody who can reach the address, without the token."""
    log: Annotated[Literal["plain", "json"], Meta(title="plain or json")] = "plain"
    """The form of the log; as JSON it has a line for each request too."""
    keep_in: str | None = None
    """The address of the PostgreSQL or Redis in which servers share answers and feedback."""
    https: Annotated[bool, Meta(title="true or false")] = False
    """A proxy serves the project or the board under https: cookies are then for https alone."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What the environment says about a run over files: LACUNA_SKIP_BAD and so on."""

    skip_bad: Annotated[bool, Meta(title="true or false")] = False
    """Leave out broken items and predictions for unknown questions, list them, and exit with 1."""
    stop_after: Annotated[float, Meta(ge=0, title="a number of seconds")] | None = None
    """Save a checkpoint of a training run then and stop; the same command goes on from it."""


def server_settings() -> ServerSettings:
    """Read what the environment says about a server."""
    return ServerSettings(**_said(ServerSettings))


def run_settings() -> RunSettings:
    """Read what the environment says about a run over files."""
    return RunSettings(**_said(RunSettings))


def _said(settings: type[ServerSettings] | type[RunSettings]) -> dict[str, Any]:
    types = get_type_hints(settings, include_extras=True)
    said: dict[str, Any] = {}
    for field in fields(settings):
        name = f"LACUNA_{field.name.upper()}"
        if text := os.environ.get(name, "").strip():
            said[field.name] = checked(
                text, types[field.name], "The environment", name, strict=False
            )
    return said


def setting_named(key: str) -> SettingName:
    """The setting of that name.

    >>> setting_named("min-confidence").value
    'min_confidence'
    """
    name = key.strip().casefold().replace("-", "_")
    if name not in set(SettingName):
        raise no_such("setting", key, list(SettingName))
    return SettingName(name)


def from_words(name: SettingName, words: Sequence[str], where: str) -> Setting:
    """The value of a setting as it is typed; ``where`` begins the error if it is none."""
    if name is not SettingName.CORPUS and len(words) != 1:
        raise LacunaError(f"{where}: {name} takes one value.")
    value: Any = list(words) if name is SettingName.CORPUS else words[0]
    wanted = get_type_hints(UserSettings, include_extras=True)[name]
    is_text = name in (SettingName.CORPUS, SettingName.MODEL)
    return checked(value, wanted, where, name, strict=is_text)  # type: ignore[no-any-return]


def from_environment(name: SettingName) -> Setting | None:
    """What the environment says; several paths stand in one variable as those of PATH do."""
    text = os.environ.get(name.variable, "").strip()
    if not text:
        return None
    words = [text]
    if name is SettingName.CORPUS:
        words = [path for path in text.split(os.pathsep) if path]
    return from_words(name, words, f"The environment variable {name.variable}")


def user_file() -> Path:
    """The user's file, which need not be there; the variable LACUNA_CONFIG names another."""
    if chosen := os.environ.get("LACUNA_CONFIG"):
        return Path(chosen)
    from platformdirs import user_config_path

    return user_config_path("lacuna") / "config.toml"


def read_settings(path: Path) -> dict[SettingName, Setting]:
    """What a file sets; nothing where there is none. Its paths are meant from its own folder."""
    try:
        read = typed(read_toml(path), UserSettings, str(path))
    except FileNotFoundError:
        return {}
    said = {SettingName(field.name): getattr(read, field.name) for field in fields(read)}
    return {
        name: _from_folder(path.parent, name, value)
        for name, value in said.items()
        if value is not None
    }


def _from_folder(folder: Path, name: SettingName, value: Setting) -> Setting:
    if name is SettingName.CORPUS:
        paths = value if isinstance(value, list) else [str(value)]
        return [str(folder / Path(path).expanduser()) for path in paths]
    if name is SettingName.MODEL and str(value).startswith((".", "~")):
        return str(folder / Path(str(value)).expanduser())
    return value
