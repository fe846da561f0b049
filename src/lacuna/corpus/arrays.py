"""Arrays that are derived from a store and cached beside it, one folder for each generation.

Readers of several generations may be there at once, while a writer commits. Each holds the folder
that it reads; who builds a newer one deletes the older ones that nobody holds.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from lacuna.errors import LacunaError
from lacuna.files.array_files import map_array
from lacuna.files.checksums import read_checksums, write_checksums
from lacuna.files.held import delete_gone, delete_unheld, hold, make_holdable

Array = npt.NDArray[Any]
Arrays = Mapping[str, Array]
SUFFIX = ".npy"
PART = ".part-"
ABANDONED = 24 * 3600
"""Seconds after which an unfinished folder is taken for that of a killed process."""
VERIFIED = 256 << 20
"""Bytes that are read through on opening, to see that they are as they were written."""


class HeldArrays(dict[str, Array]):
    """Arrays mapped from a folder, which is not deleted before they go."""

    def __init__(self, arrays: Arrays, held: IO[bytes]) -> None:
        super().__init__(arrays)
        self._held = held

    def __del__(self) -> None:
        self._held.close()


def cached_arrays(
    folder: Path, name: str, generation: int, build: Callable[[Path], Arrays], *, state: str = ""
) -> Arrays:
    """Map the arrays of this generation into memory; build and cache them if they are not there.

    ``build`` is given a folder for its scratch files. The arrays get their name by one rename,
    so that a crash leaves a folder that is ignored, never one that is half filled. Where the
    folder cannot be written (read-only, or full) they are used from memory alone. ``state`` tells
    a generation from one of the same number in another life of the store.
    """
    wanted = folder / f"{name}-{generation}"
    if (arrays := open_arrays_of(wanted, state)) is not None:
        return arrays
    if wanted.is_dir():  # damaged, or of an earlier version: it can be built again
        delete_unheld(wanted)
    try:
        part = Path(tempfile.mkdtemp(prefix=f"{name}{PART}", dir=folder))
    except OSError:
        with tempfile.TemporaryDirectory() as scratch:
            return _in_memory(build(Path(scratch)))
    try:
        built = build(part)
        with suppress(OSError, LacunaError):
            _save(built, part / "finished", state)
            (part / "finished").rename(wanted)
        _remove_older(folder, name, generation)
        # Another reader may have been quicker, with the same arrays.
        return open_arrays_of(wanted, state) or _in_memory(built)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def open_arrays_of(folder: Path, state: str, most: int | None = VERIFIED) -> Arrays | None:
    """Map the arrays in a folder; None if they are gone, damaged or of another state."""
    held = hold(folder)
    if held is None:
        return None
    checksums = read_checksums(folder)
    if checksums is not None and checksums.state == state and not checksums.damaged(folder, most):
        with suppress(EOFError, OSError, ValueError):
            names = [name for name in checksums.files if name.endswith(SUFFIX)]
            mapped = {name.removesuffix(SUFFIX): map_array(folder / name) for name in names}
            return HeldArrays(mapped, held)
    held.close()
    return None


def array_folders(folder: Path, name: str) -> dict[int, Path]:
    """The folders of arrays of that name, by their generations."""
    found = {path.name.removeprefix(f"{name}-"): path for path in folder.glob(f"{name}-*")}
    return {int(number): path for number, path in found.items() if number.isdecimal()}


def _in_memory(arrays: Arrays) -> Arrays:
    return {key: np.array(value) for key, value in arrays.items()}


def _save(arrays: Arrays, folder: Path, state: str) -> None:
    folder.mkdir()
    for key, value in arrays.items():
        with (folder / f"{key}{SUFFIX}").open("wb") as file:
            np.save(file, value)
            os.fsync(file.fileno())
    make_holdable(folder)
    write_checksums(folder, [f"{key}{SUFFIX}" for key in arrays], state)


def _remove_older(folder: Path, name: str, generation: int) -> None:
    """Delete what no reader needs any more; newer ones are for those who opened the store later."""
    for number, path in array_folders(folder, name).items():
        if number < generation:
            delete_unheld(path)
    delete_gone(folder)
    for part in folder.glob(f"{name}{PART}*"):
        with suppress(OSError):  # its owner may have finished just now
            if time.time() - part.stat().st_mtime > ABANDONED:
                shutil.rmtree(part)
