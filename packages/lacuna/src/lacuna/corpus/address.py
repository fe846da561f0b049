"""Addresses of corpora that are kept on a shared disk or in an object store."""

from __future__ import annotations

import re
from pathlib import Path

from lacuna.errors import LacunaError, shown

SCHEMES = ("s3", "gs", "az", "file")
ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/+(.*)", re.DOTALL)


def address_of(place: str | Path) -> str | None:
    """The address that a place is, or None where it is a path.

    Verbs and settings hold places as paths, which write two slashes as one.

    >>> address_of(Path("s3://bucket/corpus/"))
    's3://bucket/corpus'
    >>> address_of("notes/corpus") is None
    True
    """
    found = ADDRESS.fullmatch(place.as_posix() if isinstance(place, Path) else place)
    if found is None:
        return None
    scheme, rest = found[1].lower(), found[2].strip("/")
    if "@" in rest.partition("/")[0] or "?" in rest:
        raise LacunaError(
            f"An address of {scheme}:// holds no credentials and no parameters: they would end up "
            "in logs. Set them in the environment, as docs/scaling.md shows."
        )
    if scheme not in SCHEMES:
        known = ", ".join(f"{name}://" for name in SCHEMES)
        raise LacunaError(
            f"{shown(f'{scheme}://{rest}')} is no address of a corpus: those begin with {known}. "
            "Copy the documents to this machine first."
        )
    if not rest:
        raise LacunaError(f"{scheme}:// names no place. Give one, such as {scheme}://bucket/corpus")
    return f"{scheme}:///{rest}" if scheme == "file" else f"{scheme}://{rest}"


def is_address(place: str | Path) -> bool:
    """Tell if a place is an address."""
    return address_of(place) is not None


def place_text(place: str | Path) -> str:
    """A place as people write it."""
    return address_of(place) or str(place)
