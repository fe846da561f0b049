"""The folder with the dialogs of a user: one file each, written whole after every answer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna.pipeline.dialog.saved_dialog import SavedDialog, read_dialog

ENDING = ".jsonl"
LONGEST_NAME = 40
"""Characters of a question in the name of its dialog."""


def dialogs_folder() -> Path:
    """The user's folder, which need not be there; the variable LACUNA_DIALOGS names another."""
    if chosen := os.environ.get("LACUNA_DIALOGS"):
        return Path(chosen)
    from platformdirs import user_data_path

    return user_data_path("lacuna") / "dialogs"


def kept_dialogs() -> list[Path]:
    """The files, the one written last first."""
    return sorted(
        dialogs_folder().glob(f"*{ENDING}"), key=lambda path: path.stat().st_mtime, reverse=True
    )


def open_dialog(path: Path) -> SavedDialog:
    """The dialog in a file."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise LacunaError(f"{path} cannot be read: {error.strerror}.") from error
    return read_dialog(text.splitlines(), str(path))


def find_dialog(name: str) -> Path:
    """A dialog by its number in the list, by its name, or by its file; "" is the last one."""
    kept = kept_dialogs()
    if not name:
        if not kept:
            raise LacunaError(f"There is no dialog to resume in {dialogs_folder()}.")
        return kept[0]
    if name.isascii() and name.isdigit():
        if not 1 <= int(name[:9]) <= len(kept):
            raise LacunaError(f"There is no dialog {name}: there are {len(kept)} of them.")
        return kept[int(name) - 1]
    named = [path for path in kept if path.stem == name]
    if not named and not Path(name).is_file():
        raise LacunaError(
            f"There is no dialog or file {name!r}. `lacuna chat --list` shows the dialogs there "
            "are; each goes by its number or its name."
        )
    return named[0] if named else Path(name)


def name_for(question: str, begun: str) -> str:
    """The name of a new dialog: when it began, and its first question.

    >>> name_for("Who founded it?", "2026-03-01T09:30:00")
    '2026-03-01-0930-who-founded-it'
    """
    words = re.sub(r"[^\w]+", "-", question.casefold())[:LONGEST_NAME].strip("-_")
    when = begun[:16].replace("T", "-").replace(":", "")
    return f"{when}-{words}".strip("-")


class DialogKeeper:
    """Writes a dialog to its file; what someone else wrote there meanwhile is never lost."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._content = None if path is None else path.read_bytes()

    def write(self, dialog: SavedDialog) -> None:
        """Write all of it."""
        content = as_bytes(dialog)
        if self.path is None or self._is_changed():
            question = dialog.results[0].question
            self.path = _free(dialogs_folder(), name_for(question, dialog.begun))
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # it tells what was asked
        with replace_text(self.path) as out:
            out.write(content.decode())
        self._content = content

    def _is_changed(self) -> bool:
        """Whether another terminal goes on with the same dialog."""
        assert self.path is not None
        return self.path.exists() and self.path.read_bytes() != self._content


def as_bytes(dialog: SavedDialog) -> bytes:
    """The file of a dialog; half a surrogate pair cannot be written, and becomes "?"."""
    return "".join(f"{line}\n" for line in dialog.lines()).encode("utf-8", "replace")


def _free(folder: Path, name: str) -> Path:
    return next(path for path in _names(folder, name) if not path.exists())


def _names(folder: Path, name: str) -> Iterator[Path]:
    yield folder / f"{name}{ENDING}"
    number = 2
    while True:
        yield folder / f"{name}-{number}{ENDING}"
        number += 1
