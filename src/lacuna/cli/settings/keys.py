"""The settings there are, and what each of them may be."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from enum import StrEnum
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
