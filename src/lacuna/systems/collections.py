"""Where the collections of documents are that the questions of one file name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lacuna.corpus.address import is_address
from lacuna.errors import LacunaError
from lacuna.files.opening import similar

if TYPE_CHECKING:
    from lacuna.corpus.open import Corpora

ENDINGS = ("", ".tar.xz", ".txz", ".tar.gz", ".tgz", ".tar.bz2", ".tar", ".zip")
"""What may follow the name of a collection: nothing for a folder, else an archive's ending."""


class Collections:
    """Some places, and what is found there.

    A place is a collection itself, if it has the name of one, or else a folder that holds some.
    """

    def __init__(self, corpus: Corpora) -> None:
        places = [corpus] if isinstance(corpus, str | Path) else list(corpus or ())
        self.places = [Path(place) for place in places]
        self._found: dict[str, Path | None] = {}
        for place in self.places:
            if not is_address(place) and not place.exists():
                raise LacunaError(f"There is no file or folder {place}.{similar(place)}")

    def find(self, name: str) -> Path | None:
        """The folder or archive of that name; None where there is none."""
        if name not in self._found:
            self._found[name] = next(self._candidates(name), None)
        return self._found[name]

    @property
    def missing(self) -> str:
        """The names that were looked for in vain, and where, in words."""
        names = ", ".join(name for name, path in self._found.items() if path is None)
        return f"{names} in {' or '.join(map(str, self.places))}"

    def _candidates(self, name: str) -> Iterator[Path]:
        names = [name + ending for ending in ENDINGS]
        yield from (place for place in self.places if place.resolve().name in names)
        inside = (place / one for place in self.places for one in names)
        yield from (path for path in inside if path.exists())
