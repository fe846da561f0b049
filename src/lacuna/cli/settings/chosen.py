"""The value that counts: an option before the environment, a project before its user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lacuna.cli.settings.keys import Setting, SettingName, from_environment
from lacuna.cli.settings.setting_files import PROJECT_FILE, read_settings, user_file
from lacuna.pipeline.config import MIN_CONFIDENCE

DEFAULTS: dict[SettingName, Setting] = {
    SettingName.CORPUS: [],
    SettingName.MODEL: "small",
    SettingName.MIN_CONFIDENCE: MIN_CONFIDENCE,
}
"""What counts where nobody has chosen; no corpus stands for the demo."""


@dataclass(frozen=True, slots=True)
class ChosenSetting:
    """A value, and who says so: a variable, a file, or "default"."""

    value: Setting
    source: str


def chosen(name: SettingName) -> ChosenSetting:
    """What counts where no option says otherwise."""
    if (value := from_environment(name)) is not None:
        return ChosenSetting(value, name.variable)
    for path in (PROJECT_FILE, user_file()):
        if (value := read_settings(path).get(name)) is not None:
            return ChosenSetting(value, str(path))
    return ChosenSetting(DEFAULTS[name], "default")


def chosen_corpora(given: Sequence[Path] | None) -> list[Path]:
    """What is asked; nothing stands for the demo.

    A note says it where a project's file chose it: someone else may have written that.
    """
    from lacuna.cli.console import notify

    if given:
        return list(given)
    setting = chosen(SettingName.CORPUS)
    assert isinstance(setting.value, list)
    if setting.source == str(PROJECT_FILE):
        notify(f"This asks {' and '.join(setting.value)}, as {PROJECT_FILE} says.")
    return [Path(path) for path in setting.value]


def chosen_model(given: str | None) -> str:
    """The model that reads."""
    return given or str(chosen(SettingName.MODEL).value)


def chosen_confidence(given: float | None) -> float:
    """How sure an answer is to be."""
    value = chosen(SettingName.MIN_CONFIDENCE).value if given is None else given
    assert isinstance(value, float | int)
    return float(value)
