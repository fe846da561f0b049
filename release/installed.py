"""The packages that are installed, as far as this project needs them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distribution

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

PROJECT = canonicalize_name("lacuna-qa")
PROJECTS = {
    PROJECT,
    *(canonicalize_name(f"{PROJECT}-{part}") for part in ("lab", "collect", "scale")),
}
"""The packages of this repository."""


@dataclass
class Part:
    """An installed package, with the extras that others ask of it."""

    package: Distribution
    extras: set[str] = field(default_factory=set)

    def requirements(self) -> Iterator[Requirement]:
        """Yield each requirement that holds on this machine."""
        for line in self.package.requires or ():
            needed = Requirement(line)
            if needed.marker is None or any(
                needed.marker.evaluate({"extra": extra}) for extra in ("", *self.extras)
            ):
                yield needed


def installed(*wanted: str) -> dict[NormalizedName, Part]:
    """Return the packages that these requirements name and all that those need, by name."""
    found: dict[NormalizedName, Part] = {}
    open_ = [Requirement(line) for line in wanted]
    while open_:
        needed = open_.pop()
        name = canonicalize_name(needed.name)
        if name in found and needed.extras <= found[name].extras:
            continue
        part = found.setdefault(name, Part(distribution(name)))
        part.extras |= needed.extras
        open_ += part.requirements()
    return dict(sorted(found.items()))
