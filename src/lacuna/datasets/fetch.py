"""Fetch a dataset's files into the cache."""

from __future__ import annotations

from pathlib import Path

from lacuna.datasets.archive import unpack
from lacuna.datasets.download import Progress, download
from lacuna.datasets.sources import SOURCES, Source
from lacuna.files.cache import cache_folder


def folder_of(task: str) -> Path:
    """Where a dataset's files are kept."""
    return cache_folder() / task


def wanted(task: str, only: str | None) -> list[Source]:
    """The files of a dataset, or those with ``only`` in their name."""
    return [source for source in SOURCES[task].sources if not only or only in source.name]


def files_of(task: str, source: Source) -> list[Path]:
    """The files that are there once the source has been fetched."""
    folder = folder_of(task)
    names = [member.rsplit("/", 1)[-1] for member in source.members] or [source.name]
    return [folder / name for name in names]


def fetch_source(task: str, source: Source, progress: Progress) -> list[Path]:
    """Fetch one file, and unpack it if it is an archive; what is there already is kept."""
    files = files_of(task, source)
    if all(file.exists() for file in files):
        return files
    path = folder_of(task) / source.name
    if not path.exists():
        download(source, path, progress)
    if source.members:
        unpack(path, source.members, folder_of(task))
        path.unlink()
    return files
