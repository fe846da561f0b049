"""Checksums of the files of a folder, our own and in the form of `sha256sum`."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text

NAME = "checksums.json"
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class FileSum:
    """The size of a file, and the CRC-32 of its content."""

    size: int
    crc: int

    @classmethod
    def of(cls, path: Path) -> FileSum:
        """The sum of a file as it is now."""
        size = crc = 0
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(CHUNK):
                size += len(chunk)
                crc = zlib.crc32(chunk, crc)
        return cls(size, crc)


SumOf = Callable[[Path], FileSum]


@dataclass(frozen=True, slots=True)
class Checksums:
    """The sums of files by their names from the folder, with ``/``.

    ``state`` is what the writer of the sums calls the state of the files.
    """

    files: dict[str, FileSum]
    state: str = ""

    def damaged(
        self, folder: Path, most: int | None = None, sum_of: SumOf = FileSum.of
    ) -> list[str]:
        """The files that are not as they were written, or gone.

        Sizes are looked at always; contents of small files first, and only as long as no more than
        ``most`` bytes are read, where that is given.
        """
        found: list[str] = []
        read = 0
        for name, expected in sorted(self.files.items(), key=lambda item: item[1].size):
            path = folder / name
            try:
                if path.stat().st_size != expected.size:
                    found.append(name)
                    continue
                read += expected.size
                if (most is None or read <= most) and sum_of(path) != expected:
                    found.append(name)
            except OSError:
                found.append(name)
        return sorted(found)


def write_checksums(
    folder: Path, names: Iterable[str], state: str = "", sum_of: SumOf = FileSum.of
) -> None:
    """Write the checksums of some files beside them."""
    try:
        files = {name: sum_of(folder / name) for name in sorted(names)}
    except OSError as error:
        raise LacunaError(f"{folder} cannot be read: {error.strerror or error}.") from error
    told = _told(Checksums(files, state))
    with replace_text(folder / NAME) as out:
        json.dump({**told, "sum": _sum(told)}, out, indent=1)
        out.write("\n")


def read_checksums(folder: Path) -> Checksums | None:
    """The checksums that stand beside files; None if there are none, or they are damaged."""
    try:
        told = json.loads((folder / NAME).read_bytes())
        if told.pop("sum") != _sum(told):
            return None
        files = {name: FileSum(size, int(crc, 16)) for name, (size, crc) in told["files"].items()}
        return Checksums(files, told["state"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def damaged_files(folder: Path, most: int | None = None, sum_of: SumOf = FileSum.of) -> list[str]:
    """The files that are not as they were written; none of a folder without checksums."""
    while (checksums := read_checksums(folder)) is not None:
        hit = checksums.damaged(folder, most, sum_of)
        # Where something is wrong, a writer may have begun meanwhile.
        if not hit or read_checksums(folder) == checksums:
            return hit
    return []


def remove_checksums(folder: Path) -> None:
    """Forget the checksums, before any file changes."""
    with suppress(FileNotFoundError):
        (folder / NAME).unlink()
        if os.name != "nt":  # else a lost power supply might bring them back
            place = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(place)
            finally:
                os.close(place)


def _told(checksums: Checksums) -> dict[str, object]:
    files = {name: [one.size, f"{one.crc:08x}"] for name, one in checksums.files.items()}
    return {"state": checksums.state, "files": files}


def _sum(told: object) -> str:
    return f"{zlib.crc32(json.dumps(told, sort_keys=True).encode()):08x}"


# SHA-256 sums of a folder's files, in the form that `sha256sum --check` reads.
#
# They let anyone see that a folder which was published is the one that they have.


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
    """The differences from the sums, in words."""
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
