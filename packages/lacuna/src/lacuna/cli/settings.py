"""What a user has chosen once and for all, and `lacuna config`, which changes it."""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError, shown

Setting = list[str] | str | float
"""The value of a setting: paths, a name, or a number."""


class SettingName(StrEnum):
    """What can be set; in a file by this name."""

    CORPUS = "corpus"
    MODEL = "model"
    MIN_CONFIDENCE = "min_confidence"

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return f"LACUNA_{self.name}"

    @property
    def option(self) -> str:
        """The option that outranks it."""
        return "--" + self.value.replace("_", "-")


EXPECTED = {
    SettingName.CORPUS: "a path or a list of paths",
    SettingName.MODEL: "the name of a model, or the path of its folder",
    SettingName.MIN_CONFIDENCE: "a number from 0 to 1",
}


def setting_named(key: str, where: str = "") -> SettingName:
    """The setting of that name; ``where`` begins the error if there is none.

    >>> setting_named("min-confidence").value
    'min_confidence'
    """
    from difflib import get_close_matches

    name = key.strip().casefold().replace("-", "_")
    if name in set(SettingName):
        return SettingName(name)
    close = get_close_matches(name, list(SettingName), n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    there_are = ", ".join(SettingName)
    raise LacunaError(f"{where}There is no setting {shown(key)}.{hint} There are: {there_are}.")


def checked(name: SettingName, value: Any, where: str) -> Setting:
    """The value of a setting in a file; ``where`` begins the error if it is none."""
    match name, value:
        case SettingName.CORPUS, str() if value.strip():
            return [value]
        case SettingName.CORPUS, list() if value and all(_is_name(path) for path in value):
            return list(value)
        case SettingName.MODEL, str() if value.strip():
            return str(value)
        case SettingName.MIN_CONFIDENCE, int() | float() if _is_share(value):
            return float(value)
    raise LacunaError(f"{where}{name} must be {EXPECTED[name]}, and is {shown(value)}.")


def from_words(name: SettingName, words: Sequence[str], where: str) -> Setting:
    """The value of a setting as it is typed."""
    if name is SettingName.CORPUS:
        return checked(name, list(words), where)
    if len(words) != 1:
        raise LacunaError(f"{where}{name} takes one value: {EXPECTED[name]}.")
    if name is SettingName.MODEL:
        return checked(name, words[0], where)
    try:
        return checked(name, float(words[0]), where)
    except ValueError:
        return checked(name, words[0], where)  # which says what it must be


def from_environment(name: SettingName) -> Setting | None:
    """What the environment says; several paths stand in one variable as those of PATH do."""
    text = os.environ.get(name.variable, "").strip()
    if not text:
        return None
    words = [text]
    if name is SettingName.CORPUS:
        words = [path for path in text.split(os.pathsep) if path]
    return from_words(name, words, f"The environment variable {name.variable}: ")


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_share(value: Any) -> bool:
    return not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= 1


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
