"""``board.toml``: what whoever runs a board can read and change of it."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text

FILE = "board.toml"
HEAD = "# A board of `lacuna board`. Changes hold after the server was started again.\n"


def _setting(default: Any, about: str) -> Any:
    return field(default=default, metadata={"about": about})


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """All that the file says."""

    title: str = _setting("Board", "Its heading.")
    about: str = _setting("", "A sentence or two below it.")
    a_week: int = _setting(
        3, "Submissions of a team that are scored within seven days, for each table."
    )
    uploads_a_week: int = _setting(
        30, "Files that a team may send within seven days, those that are refused included."
    )
    upload_mb: int = _setting(32, "Megabytes of a file as it is sent, perhaps gzipped.")
    unpacked_mb: int = _setting(64, "Megabytes that it may unpack to.")
    smallest_part: int = _setting(
        10, "Questions of the smallest part with scores of its own; smaller ones are put together."
    )
    seconds: int = _setting(600, "How long scoring one file may take.")
    memory_mb: int = _setting(2048, "How much memory it may take.")


def write_board_file(folder: Path, settings: BoardSettings) -> None:
    """Write the file, each setting with what it means."""
    lines = [
        f"# {each.metadata['about']}\n{each.name} = "
        f"{json.dumps(getattr(settings, each.name), ensure_ascii=False)}\n"
        for each in fields(settings)
    ]
    with replace_text(folder / FILE) as out:
        out.write("\n".join([HEAD, *lines]))


def read_board_file(folder: Path) -> BoardSettings:
    """Read it; what is wrong in it is told by name."""
    path = folder / FILE
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise LacunaError(
            f"{folder} is no board: it has no {FILE}. Make one with: lacuna board init {folder}"
        ) from error
    except (OSError, ValueError) as error:  # a decoder's errors are ValueErrors
        raise LacunaError(f"{path} cannot be read: {error}. Mend it.") from error
    known = {each.name: type(each.default) for each in fields(BoardSettings)}
    for name, value in said.items():
        if name not in known:
            raise LacunaError(
                f"{path} has a setting {name!r} that no board has; there are {', '.join(known)}."
            )
        if type(value) is not known[name] or (isinstance(value, int) and value < 1):
            wanted = "a text" if known[name] is str else "a whole number from 1"
            raise LacunaError(f"{name} in {path} must be {wanted}, not {value!r}. Mend it.")
    return BoardSettings(**said)
