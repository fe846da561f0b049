"""The files with settings: the user's own, and that of the folder one works in."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path

from lacuna.cli.settings.keys import Setting, SettingName, checked, setting_named
from lacuna.errors import LacunaError

PROJECT_FILE = Path("lacuna.toml")
"""In the folder one works in, and in none above it: who works there sees it."""


def user_file() -> Path:
    """The user's file, which need not be there; the variable LACUNA_CONFIG names another."""
    if chosen := os.environ.get("LACUNA_CONFIG"):
        return Path(chosen)
    from platformdirs import user_config_path

    return user_config_path("lacuna") / "config.toml"


def read_settings(path: Path) -> dict[SettingName, Setting]:
    """What a file sets; nothing where there is none. Its paths are meant from its own folder."""
    values = {}
    for key, value in tomllib.loads(_text(path)).items():
        name = setting_named(key, f"{path}: ")
        values[name] = _from_folder(path.parent, name, checked(name, value, f"{path}: "))
    return values


def write_setting(path: Path, name: SettingName, value: Setting | None) -> bool:
    """Set a value, or take it out with None; the rest of the file stays as it is, comments too.

    False where there was nothing to take out.
    """
    from lacuna.files.writing import replace_text

    before = _text(path)
    lines = before.splitlines()
    place = _lines_of(lines, name)
    if value is None and place is None:
        return False
    new = [] if value is None else [f"{name} = {_as_toml(value)}"]
    first, last = place or (len(lines), len(lines))
    lines[first:last] = new
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replace_text(path) as out:
        out.write("".join(f"{line}\n" for line in lines))
    return True


def _text(path: Path) -> str:
    """The file, if it is TOML."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        tomllib.loads(text)
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise LacunaError(
            f"{path} cannot be read as a file with settings: {reason}. It is TOML, one setting a "
            'line, such as corpus = "notes". Mend it, or move it away.'
        ) from error
    return text


def _lines_of(lines: list[str], name: SettingName) -> tuple[int, int] | None:
    """From which line to which a setting stands; a list may go over several."""
    key = re.compile(rf"""\s*["']?{name}["']?\s*=""")
    for first, line in enumerate(lines):
        if key.match(line):
            for last in range(first + 1, len(lines) + 1):
                try:
                    tomllib.loads("\n".join(lines[first:last]))
                except tomllib.TOMLDecodeError:
                    continue
                return first, last
    return None


def _as_toml(value: Setting) -> str:
    if isinstance(value, list):
        return _as_toml(value[0]) if len(value) == 1 else f"[{', '.join(map(_as_toml, value))}]"
    # A string of JSON is one of TOML, except that TOML allows no half of a surrogate pair.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _from_folder(folder: Path, name: SettingName, value: Setting) -> Setting:
    if isinstance(value, list):
        return [str(folder / Path(path).expanduser()) for path in value]
    if name is SettingName.MODEL and str(value).startswith((".", "~")):
        return str(folder / Path(str(value)).expanduser())
    return value
