"""Folders of the server's machine that are opened from the page."""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path

from lacuna.corpus.database import FILE
from lacuna.server.limits import Limits
from lacuna.server.refusals import Refusal


def folder_id(folder: Path) -> str:
    """The same id for the same folder, so that a shared link holds when it is opened again."""
    return blake2b(os.fsencode(folder.resolve()), digest_size=8).hexdigest()


def check_folder(typed: str, limits: Limits) -> Path:
    """The folder that was typed, if it can be indexed while someone waits for it."""
    if "\0" in typed:
        raise Refusal(422, "no-folder", "A path cannot hold a null character.")
    folder = Path(typed.strip())
    try:
        folder = folder.expanduser()
        is_there = folder.is_dir()
    except (OSError, RuntimeError):  # the latter for ~ of someone who is not there
        is_there = False
    if not folder.is_absolute() or not is_there:
        raise Refusal(
            422,
            "no-folder",
            f"There is no folder {typed!r} on the server's machine. Give the whole path of one.",
        )
    if not (folder / FILE).is_file():
        _check_size(folder, limits)
    return folder


def _check_size(folder: Path, limits: Limits) -> None:
    seen = size = 0
    for where, _, names in os.walk(folder):
        seen += len(names) + 1
        for name in names:
            if name.lower().endswith((".md", ".markdown", ".html", ".htm", ".txt")):
                size += 1
        if seen > limits.files_seen or size > limits.pages:
            raise Refusal(
                413,
                "folder-too-large",
                f"{folder} is too large to be read while you wait (stopped at {where}). Index it "
                f"with `lacuna index {folder} --out DIR`, then open DIR.",
            )
