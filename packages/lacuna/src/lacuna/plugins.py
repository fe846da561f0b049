"""Parts from other packages, found by their entry points.

A package offers a part under one of the groups below; ``docs/extending.md`` shows each of them. A
part's name may carry an argument behind a colon: ``llm:qwen2.5`` is the reader ``llm``, opened with
``qwen2.5``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from lacuna.errors import LacunaError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class PluginGroup(StrEnum):
    """A kind of part that packages can offer, by the name of its entry-point group."""

    READERS = "lacuna.readers"
    RETRIEVERS = "lacuna.retrievers"
    DATASETS = "lacuna.datasets"
    FORMATS = "lacuna.formats"


def plugin_names(group: PluginGroup) -> tuple[str, ...]:
    """The names that installed packages offer in a group."""
    return tuple(sorted({point.name for point in _points(group)}))


def load_plugin(group: PluginGroup, name: str) -> Any | None:
    """Load what a package offers under that name; None where none does."""
    points = {point.value: point for point in _points(group) if point.name == name}
    if len(points) > 1:
        packages = " and ".join(sorted(_package(point) for point in points.values()))
        raise LacunaError(
            f"{name!r} of {group} is offered by more than one package: {packages}. Uninstall all "
            "but one of them."
        )
    for point in points.values():
        try:
            return point.load()
        except Exception as problem:  # whatever goes wrong there, it is that package's
            raise LacunaError(
                f"{name!r} of {group} could not be loaded from {_package(point)}: "
                f"{type(problem).__name__}: {problem}. Update or uninstall that package."
            ) from problem
    return None


def split_name(name: str) -> tuple[str, str]:
    """A part's name, and its argument behind the colon.

    >>> split_name("llm:qwen2.5")
    ('llm', 'qwen2.5')
    """
    part, _, argument = name.partition(":")
    return part, argument


def entry_points(*, group: str) -> Iterable[EntryPoint]:
    """The entry points of installed packages; loading what reads them takes as long as the rest of
    us."""
    from importlib import metadata

    return metadata.entry_points(group=group)


def _points(group: PluginGroup) -> tuple[EntryPoint, ...]:
    return _read_once(group, entry_points, tuple(sys.path))


@cache
def _read_once(
    group: PluginGroup, find: Callable[..., Iterable[EntryPoint]], path: tuple[str, ...]
) -> tuple[EntryPoint, ...]:
    """Looking through all installed packages takes a hundredth of a second and more, and some ask
    for every item of a file. ``path`` is where packages are looked for."""
    return tuple(find(group=group.value))


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} ({point.value})" if point.dist else point.value
