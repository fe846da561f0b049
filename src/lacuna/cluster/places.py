"""Places as other machines understand them: workers have a working folder of their own."""

from __future__ import annotations

from pathlib import Path

from lacuna.corpus.address import address_of


def absolute(place: str | Path) -> Path:
    """An address as it is, and any other path from the root."""
    path = Path(place)
    return path if address_of(path) is not None else path.resolve()
