"""The packages that are installed, as far as this project needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

PROJECT = canonicalize_name("lacuna-qa")


def requirements(package: Distribution, extras: Iterable[str] = ()) -> Iterator[Requirement]:
    """What a package needs here, with these of its extras."""
    wanted = ("", *extras)
    for line in package.requires or ():
        needed = Requirement(line)
        if needed.marker is None or any(needed.marker.evaluate({"extra": e}) for e in wanted):
            yield needed


def installed(extras: Iterable[str] = ()) -> dict[NormalizedName, Distribution]:
    """The project and everything that it needs, directly or not, by name."""
    found: dict[NormalizedName, Distribution] = {}
    seen: set[tuple[str, ...]] = set()
    open_: list[tuple[NormalizedName, frozenset[str]]] = [(PROJECT, frozenset(extras))]
    while open_:
        name, wanted = open_.pop()
        if (key := (name, *sorted(wanted))) in seen:
            continue
        seen.add(key)
        package = found.setdefault(name, distribution(name))
        open_ += [
            (canonicalize_name(needed.name), frozenset(needed.extras))
            for needed in requirements(package, wanted)
        ]
    return dict(sorted(found.items()))
