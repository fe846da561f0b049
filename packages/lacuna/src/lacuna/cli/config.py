"""`lacuna config` and `lacuna info`: what is chosen, and what a bug report needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.options import Json

if TYPE_CHECKING:
    from lacuna.cli.settings import Setting, SettingName


def config(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[set NAME VALUE… | unset NAME]", show_default=False),
    ] = None,
    project: Annotated[
        bool,
        typer.Option(
            "--project", help="Write lacuna.toml in this folder instead of the user's own file."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Show or change the defaults.

    They count for ask, chat, search, serve, mcp and corpus wherever you give no option.
    The names are corpus (one path or several), model, min_confidence and threads (processor
    cores). An option outranks the environment variable (LACUNA_CORPUS, LACUNA_MODEL,
    LACUNA_MIN_CONFIDENCE, LACUNA_THREADS), that outranks lacuna.toml in this folder, and that
    outranks the user's own file.
    """
    from lacuna.cli.settings import PROJECT_FILE, user_file
    from lacuna.errors import LacunaError, shown

    target = PROJECT_FILE if project else user_file()
    match list(words or ()):
        case []:
            _show(as_json)
        case ["set", key, *values] if values:
            _set(target, key, values)
        case ["unset", key]:
            _unset(target, key)
        case ["set", *_]:
            raise LacunaError("Say what to set, and to what: lacuna config set corpus ~/notes")
        case ["unset", *_]:
            raise LacunaError("Say what to unset, one name: lacuna config unset corpus")
        case [word, *_]:
            raise LacunaError(
                f"{shown(word)} is nothing that can be done here. `lacuna config` shows the "
                "settings, `lacuna config set NAME VALUE` and `lacuna config unset NAME` change "
                "them."
            )


def _show(as_json: bool) -> None:
    from lacuna.cli.console import notify, print_json, print_table
    from lacuna.cli.options import chosen
    from lacuna.cli.settings import PROJECT_FILE, SettingName, user_file

    settings = {name: chosen(name) for name in SettingName}
    if as_json:
        shown = {name: {"value": one.value, "from": one.source} for name, one in settings.items()}
        files = {"user": str(user_file()), "project": str(PROJECT_FILE)}
        print_json({"settings": shown, "files": files})
        return
    rows = [(name, _in_words(name, one.value), one.source) for name, one in settings.items()]
    print_table("Settings", ("name", "value", "from"), rows)
    is_there = "" if user_file().exists() else ", which is not there yet"
    notify(f"Your own file is {user_file()}{is_there}.")


def _set(target: Path, key: str, values: list[str]) -> None:
    from lacuna.cli.console import notify
    from lacuna.cli.settings import (
        PROJECT_FILE,
        SettingName,
        from_words,
        read_settings,
        setting_named,
    )
    from lacuna.errors import LacunaError
    from lacuna.files.opening import similar
    from lacuna.files.settings import set_in_file

    name = setting_named(key)
    value = from_words(name, values, "lacuna config set")
    if name is SettingName.CORPUS:
        for path in map(Path, values):
            if not path.expanduser().exists():
                raise LacunaError(f"There is no file or folder {path}.{similar(path)}")
        # A project may be moved with its folder; what a user means stays where it is.
        if target != PROJECT_FILE:
            value = [str(Path(path).expanduser().absolute()) for path in values]
    elif name is SettingName.MODEL and target != PROJECT_FILE and values[0].startswith((".", "~")):
        value = str(Path(values[0]).expanduser().absolute())
    read_settings(target)  # a file that is wrong elsewhere is told before it is written
    # One path stands without brackets, as one would write it.
    set_in_file(target, name, value[0] if isinstance(value, list) and len(value) == 1 else value)
    notify(f"{name} is {_in_words(name, value)} in {target}.", "Done")
    _tell_if_outranked(name, target)


def _unset(target: Path, key: str) -> None:
    from lacuna.cli.console import notify
    from lacuna.cli.settings import setting_named
    from lacuna.files.settings import set_in_file

    name = setting_named(key)
    if set_in_file(target, name, None):
        notify(f"{name} is no longer set in {target}.", "Done")
    else:
        notify(f"{name} is not set in {target}.")
    _tell_if_outranked(name, target)


def _tell_if_outranked(name: SettingName, target: Path) -> None:
    """Say it where another place still decides, so that nobody wonders why nothing changed."""
    from lacuna.cli.console import notify
    from lacuna.cli.options import chosen

    now = chosen(name)
    if now.source not in (str(target), "default"):
        notify(f"{now.source} counts here: it sets {name} to {_in_words(name, now.value)}.")


def _in_words(name: SettingName, value: Setting) -> str:
    if isinstance(value, list):
        return " and ".join(value) or "the demo corpus"
    return "as the machine has" if value is None else str(value)


def info() -> None:
    """Print versions and folders, for bug reports."""
    import platform
    import re
    from importlib.metadata import requires, version

    from lacuna.cli.console import print_table
    from lacuna.datasets import dataset_names
    from lacuna.files.cache import cache_folder
    from lacuna.models.model_folder import SHIPPED
    from lacuna.version import __version__

    needed = (line for line in requires("lacuna-qa") or () if "extra ==" not in line)
    packages = sorted(re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in needed)
    facts = {
        "lacuna": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{package: version(package) for package in packages},
        "cache": str(cache_folder()),
        "models": str(SHIPPED),
        "tasks": ", ".join(dataset_names()),
    }
    print_table("Lacuna", ("what", "value"), facts.items())
