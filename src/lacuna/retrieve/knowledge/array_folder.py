"""A folder of arrays that is there whole or not at all, and opens without being read.

``meta.json`` names the subfolder with the arrays. A new build goes into a subfolder of its own,
and the last step replaces ``meta.json``: a crash before that leaves the old build as it was.
Build into a folder from one process at a time. ``checksums.json`` has the checksums of all of it.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from lacuna.errors import LacunaError
from lacuna.files.array_files import map_array
from lacuna.files.checksums import NAME as SUMS
from lacuna.files.checksums import damaged_files, remove_checksums, write_checksums
from lacuna.files.writing import replace_text
from lacuna.retrieve.knowledge.stem_index import NamedArrays

META = "meta.json"
PREFIX = "arrays-"
VERSION = 1
VERIFIED = 256 << 20
"""Bytes that are read through on opening, of the smaller arrays first."""


def save_arrays(folder: Path, kind: str, arrays: NamedArrays, meta: dict[str, Any]) -> None:
    """Write a build and make it the folder's current one."""
    refuse_foreign(folder, kind)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
    except OSError as error:
        raise LacunaError(
            f"{folder} cannot be written: {error.strerror}. Choose a folder that you may write to."
        ) from error
    try:
        part.chmod(0o755)
        for name, array in arrays.items():
            with (part / f"{name}.npy").open("wb") as out:
                np.save(out, array, allow_pickle=False)
                out.flush()
                os.fsync(out.fileno())
        head = {"kind": kind, "version": VERSION, "arrays": part.name, "names": sorted(arrays)}
        remove_checksums(folder)
        with replace_text(folder / META) as text:
            json.dump({**head, "meta": meta}, text, ensure_ascii=False)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise LacunaError(
            f"{folder} was not written: {error.strerror or error}. What it held before is kept."
        ) from error
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    with suppress(LacunaError):  # the disk may be full; it can be read without them
        write_checksums(folder, [META, *(f"{part.name}/{name}.npy" for name in arrays)])
    for old in folder.glob(f"{PREFIX}*"):
        if old != part:
            shutil.rmtree(old, ignore_errors=True)


def open_arrays(folder: Path, kind: str) -> tuple[NamedArrays, dict[str, Any]]:
    """Map the current build of a folder into memory; one that is damaged is refused."""
    if hit := damaged_files(folder, VERIFIED):
        raise LacunaError(
            f"{folder} is damaged: {', '.join(hit)} is not as it was written. Build it again."
        )
    head = _head(folder)
    if head is None:
        raise LacunaError(f"{folder} holds no {kind}. Build them there first.")
    if head.get("kind") != kind:
        raise LacunaError(f"{folder} holds {head.get('kind')}, not {kind}. Give the other folder.")
    if head.get("version") != VERSION:
        raise LacunaError(f"{folder} was built by another version of Lacuna. Build it again.")
    try:
        return {name: _map(folder / head["arrays"], name) for name in head["names"]}, head["meta"]
    except (OSError, ValueError, KeyError) as error:
        if _head(folder) != head:  # another build took its place just now
            return open_arrays(folder, kind)
        raise LacunaError(f"{folder} is damaged ({error}). Build it again.") from error


def _map(folder: Path, name: str) -> np.ndarray[Any, Any]:
    # A plain view: np.memmap is slow to slice.
    return map_array(folder / f"{name}.npy").view(np.ndarray)


def _head(folder: Path) -> dict[str, Any] | None:
    try:
        head = json.loads((folder / META).read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise LacunaError(f"{folder / META} cannot be read ({error}). Build it again.") from error
    return head if isinstance(head, dict) else {}


def refuse_foreign(folder: Path, kind: str) -> None:
    """Never clear out or mix with files of another kind."""
    if folder.is_file():
        raise LacunaError(f"{folder} is a file; give the name of a folder to build in.")
    if (head := _head(folder)) is not None and head.get("kind") != kind:
        raise LacunaError(
            f"{folder} holds {head.get('kind')}, not {kind}. Give a new or empty folder."
        )
    if folder.is_dir():
        ours = (PREFIX, META, SUMS, ".")
        others = [entry.name for entry in folder.iterdir() if not entry.name.startswith(ours)]
        if others:
            raise LacunaError(
                f"{folder} holds other files ({sorted(others)[0]}). Give a new or empty folder."
            )
