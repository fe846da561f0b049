"""The folders of the server's machine that may be opened by path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lacuna.server.refusals import Refusal


class AllowedFolders:
    """Folders that a server was told of; what lies in them may be opened too."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.paths = tuple(dict.fromkeys(folder.resolve() for folder in folders if folder.is_dir()))
        """All links followed."""

    def __bool__(self) -> bool:
        return bool(self.paths)

    def names(self) -> list[str]:
        """Their paths, as a person may be told."""
        return [str(folder) for folder in self.paths]

    def checked(self, typed: str) -> Path:
        """The folder that was typed, links followed; refused where nobody allowed it.

        Whether there is such a folder is not looked at before: the refusal would tell.
        """
        try:
            folder = Path(typed.strip()).expanduser()
            real = folder.resolve()
        except (OSError, RuntimeError, ValueError):  # no such user, a loop of links, a null
            raise _not_allowed(typed) from None
        if folder.is_absolute() and any(real.is_relative_to(one) for one in self.paths):
            return real
        raise _not_allowed(typed)


def _not_allowed(typed: str) -> Refusal:
    return Refusal(
        403,
        "folder-not-allowed",
        f"This server was not told to open {typed!r}. Give the full path of a folder that it was, "
        "or start it with --allow-folder, or upload the files.",
    )
