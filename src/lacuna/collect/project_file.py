"""``project.toml``: what a requester can read and change of a project."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from lacuna.collect.people.crowd import CrowdSettings
from lacuna.collect.tasks.task import TaskSettings
from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text

FILE = "project.toml"
HEAD = """# A project of `lacuna collect`. Money is in cents; the defaults are the paper's.
# Changes hold after the server was started again.
"""


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """All that the file says."""

    family: str
    corpus: str
    database: str
    """Empty for SQLite in the project's folder."""
    seed: int
    crowd: CrowdSettings
    tasks: Mapping[str, TaskSettings]


def write_project_file(folder: Path, project: ProjectFile) -> None:
    """Write the file, for its owner alone: it may hold a database's password."""
    lines = [
        HEAD,
        *(_line(name, getattr(project, name)) for name in ("family", "corpus", "database", "seed")),
        "\n[crowd]",
        *(_line(name, value) for name, value in asdict(project.crowd).items()),
    ]
    for name, settings in project.tasks.items():
        lines.append(f"\n[tasks.{name}]")
        lines.extend(_line(key, value) for key, value in asdict(settings).items())
    with replace_text(folder / FILE) as out:
        out.write("\n".join(lines) + "\n")
    (folder / FILE).chmod(0o600)


def read_project_file(folder: Path) -> ProjectFile:
    """Read it; what is wrong in it is told by name."""
    path = folder / FILE
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise LacunaError(
            f"{folder} is no project: it has no {FILE}. Make one with: lacuna collect init "
            f"{folder} --task iirc-questions --corpus DIR"
        ) from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LacunaError(f"{path} cannot be read: {error}. Mend it.") from error
    try:
        return ProjectFile(
            family=_text(said, "family"),
            corpus=_text(said, "corpus"),
            database=_text(said, "database"),
            seed=int(said.get("seed", 0)),
            crowd=CrowdSettings(**said.get("crowd", {})),
            tasks={name: read_settings(name, each) for name, each in said.get("tasks", {}).items()},
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise LacunaError(f"{path} is not as it should be: {error}. Mend it.") from error


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{name} is no text")
    return value


def read_settings(name: str, said: Mapping[str, Any]) -> TaskSettings:
    """A task's settings; ValueError where one is not there, or not of its kind."""
    kinds: dict[str, type | tuple[type, ...]] = {
        "pass_mark": (int, float),
        "review_all": bool,
        "model_in_loop": bool,
        "more": dict,
    }
    known = {field.name for field in fields(TaskSettings)}
    for key, value in said.items():
        if key not in known:
            raise ValueError(f"{name} has no setting {key}; there are {', '.join(sorted(known))}")
        wanted = kinds.get(key, int)
        if not isinstance(value, wanted) or (wanted is not bool and isinstance(value, bool)):
            raise ValueError(f"{key} of {name} is {value!r}")
    return TaskSettings(**said)


def _line(name: str, value: Any) -> str:
    return f"{name} = {_toml(value)}"


def _toml(value: Any) -> str:
    """A value of JSON as TOML writes it, on one line; None has no place there."""
    match value:
        case dict():
            inner = ", ".join(
                f"{json.dumps(str(key))} = {_toml(each)}"
                for key, each in value.items()
                if each is not None
            )
            return f"{{{inner}}}"
        case list() | tuple():
            return f"[{', '.join(_toml(each) for each in value)}]"
        case str():
            # JSON's escapes are TOML's, but for characters beyond the first 65,536.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case _:
            return json.dumps(value)
