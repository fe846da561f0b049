"""SHA-256 sums of a folder's files, in the form that `sha256sum --check` reads.

They let anyone see that a folder which was published is the one that they have.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text

SUMS = "SHA256SUMS"


def sha256_of(path: Path) -> str:
    """The sum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_sums(folder: Path) -> None:
    """Write the sums of all files of a folder beside them."""
    lines = [f"{sha256_of(folder / name)}  {name}\n" for name in _names(folder)]
    with replace_text(folder / SUMS) as out:
        out.writelines(lines)


def read_sums(folder: Path) -> dict[str, str]:
    """The sums by the files' names."""
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LacunaError(f"{folder} has no {SUMS} that can be read. Get it whole.") from error
    return {name: sum_ for sum_, _, name in (line.partition("  ") for line in lines)}


def differences(folder: Path) -> Iterator[str]:
    """What is not as the sums say, in words."""
    sums, there = read_sums(folder), set(_names(folder))
    yield from (f"{name} is missing" for name in sorted(set(sums) - there))
    yield from (f"{name} is in no list of sums" for name in sorted(there - set(sums)))
    for name in sorted(there & set(sums)):
        if sha256_of(folder / name) != sums[name]:
            yield f"{name} is not as it was written"


def _names(folder: Path) -> list[str]:
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.name != SUMS
    )
