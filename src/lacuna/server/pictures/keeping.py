"""Pictures of an upload: kept beside its pages, if they are pictures and there is room."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.pages.picture_log import RASTER
from lacuna.corpus.source_item import Skipped
from lacuna.server.pictures.finding import LARGEST_FILE
from lacuna.server.pictures.raster import HEAD, raster_of

NO_PICTURE = "it is no picture that can be shown"
NO_ROOM = "it is too large to be shown, or there is no room for more pictures"
MOST = 5_000


def is_picture(name: str) -> bool:
    """Whether a file may be a picture, by its name."""
    return name.lower().endswith(RASTER)


class KeptPictures:
    """Writes pictures with ``write``, which says what is wrong, until they fill ``room`` bytes."""

    def __init__(self, write: Callable[[Entry], str], room: int) -> None:
        self._write = write
        self._room = room
        self._count = 0

    def keep(self, entry: Entry) -> Iterator[Skipped]:
        """Keep a picture, or say why it is not."""
        if problem := self._problem(entry):
            yield Skipped(entry.name, problem)

    def _problem(self, entry: Entry) -> str:
        if raster_of(entry.data[:HEAD]) is None:
            return NO_PICTURE
        if len(entry.data) > min(LARGEST_FILE, self._room) or self._count == MOST:
            return NO_ROOM
        self._room -= len(entry.data)
        self._count += 1
        return self._write(entry)
