"""No verb writes over what it reads, nor into a corpus: this is asked before any work is done."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lacuna.errors import LacunaError
from lacuna.files.writing import check_writable, where_written


def check_outputs(
    outputs: Iterable[Path | None], *, reads: Iterable[str | Path | None] = ()
) -> None:
    """Refuse files that must not or cannot be written; None stands for an option not given.

    ``reads`` is all that the verb reads. An output is refused where it is one of these by any name
    (a link, a hard link), lies in a folder among them, lies in a corpus, or is named twice.
    """
    read = [Path(path) for path in reads if path is not None]
    taken: list[Path] = []
    for output in filter(None, outputs):
        place = where_written(output)
        if any(_same(place, other) for other in taken):
            raise LacunaError(f"{output} is named twice. Give each file that is written its own.")
        taken.append(place)
        _check_place(output, place, read)
        _check_outside_stores(output, place.parent)
        check_writable(output)


def check_output_folder(
    folder: Path, *, reads: Iterable[Path | None] = (), may_be_corpus: bool = False
) -> None:
    """The same for a folder that is written as a whole; an address lies in no folder."""
    from lacuna.corpus.address import address_of, place_text

    if (address := address_of(folder)) is not None:
        if address in map(place_text, filter(None, reads)):
            raise LacunaError(f"{address} is read by this command. Choose another address.")
        return
    place = where_written(folder)
    _check_place(folder, place, [path for path in reads if path is not None])
    _check_outside_stores(folder, place.parent if may_be_corpus else place)


def _check_place(output: Path, place: Path, reads: list[Path]) -> None:
    for path in reads:
        if _same(place, path):
            raise LacunaError(
                f"{output} is read by this command, so it cannot be written. Give another name."
            )
        if path.is_dir() and place.is_relative_to(path.resolve()):
            raise LacunaError(
                f"{output} lies in {path}, which is read by this command. Choose a place outside "
                "of it."
            )


def _check_outside_stores(output: Path, place: Path) -> None:
    from lacuna.corpus.store import is_store

    for folder in (place, *place.parents):
        if is_store(folder):
            raise LacunaError(
                f"{output} lies in the corpus {folder}, whose files only `lacuna index` and "
                "`lacuna corpus` write. Choose a place outside of it."
            )


def _same(place: Path, other: Path) -> bool:
    """Whether two paths lead to one file; devices and pipes may be read and written at once."""
    if place.exists() and other.exists():
        return place.samefile(other) and (place.is_file() or place.is_dir())
    return place == where_written(other)
