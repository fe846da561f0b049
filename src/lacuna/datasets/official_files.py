"""A dataset's official files, from where their authors publish them.

Sizes and SHA-256 sums, where a dataset gives them, are those that the Hugging Face ``datasets``
library published for the same addresses (``dataset_infos.json``).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class OfficialFile:
    """One file to fetch; ``members`` are what is wanted of an archive."""

    address: str
    size: int | None = None
    sha256: str | None = None
    members: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.address.rsplit("/", 1)[1]

    def paths(self, folder: Path) -> list[Path]:
        """What is in the folder once it has been fetched there."""
        names = [member.rsplit("/", 1)[-1] for member in self.members] or [self.name]
        return [folder / name for name in names]


@dataclass(frozen=True, slots=True)
class OfficialFiles:
    """All files of a dataset, their licence, and the page that tells about them."""

    licence: str
    home: str
    files: tuple[OfficialFile, ...]

    def named(self, part: str | None) -> list[OfficialFile]:
        """The files with ``part`` in their name; without it, all."""
        return [file for file in self.files if not part or part in file.name]
