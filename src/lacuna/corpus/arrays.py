"""Arrays that are derived from a store and cached beside it, one folder for each generation."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Arrays = Mapping[str, Array]
PART = ".part-"
ABANDONED = 24 * 3600
"""Seconds after which an unfinished folder is taken for that of a killed process."""


def cached_arrays(
    folder: Path, name: str, generation: int, build: Callable[[Path], Arrays]
) -> Arrays:
    """Map the arrays of this generation into memory; build and cache them if they are not there.

    ``build`` is given a folder for its scratch files. The arrays get their name by one rename,
    so that a crash leaves a folder that is ignored, never one that is half filled. Where the
    folder cannot be written (read-only, or full) they are used from memory alone.
    """
    wanted = folder / f"{name}-{generation}"
    if wanted.is_dir():
        try:
            return _mapped(wanted)
        except (EOFError, OSError, ValueError):  # damaged: it can be built again
            shutil.rmtree(wanted, ignore_errors=True)
    if not wanted.is_dir():
        try:
            part = Path(tempfile.mkdtemp(prefix=f"{name}{PART}", dir=folder))
        except OSError:
            with tempfile.TemporaryDirectory() as scratch:
                return {key: np.array(value) for key, value in build(Path(scratch)).items()}
        try:
            arrays = build(part)
            try:
                _save(arrays, part, wanted)
            except OSError:
                return {key: np.array(value) for key, value in arrays.items()}
        finally:
            shutil.rmtree(part, ignore_errors=True)
        _remove_others(folder, name, wanted)
    return _mapped(wanted)


def _mapped(folder: Path) -> Arrays:
    return {path.stem: np.load(path, mmap_mode="r") for path in folder.glob("*.npy")}


def _save(arrays: Arrays, part: Path, wanted: Path) -> None:
    finished = part / "finished"
    finished.mkdir()
    for key, value in arrays.items():
        with (finished / f"{key}.npy").open("wb") as file:
            np.save(file, value)
            os.fsync(file.fileno())
    try:
        finished.rename(wanted)
    except OSError:
        if not wanted.is_dir():  # else another reader was faster, with the same arrays
            raise


def _remove_others(folder: Path, name: str, wanted: Path) -> None:
    for other in folder.glob(f"{name}-*"):
        if other != wanted and other.name.removeprefix(f"{name}-").isdigit():
            shutil.rmtree(other, ignore_errors=True)
    for part in folder.glob(f"{name}{PART}*"):
        with suppress(OSError):  # its owner may have finished just now
            if time.time() - part.stat().st_mtime > ABANDONED:
                shutil.rmtree(part)
