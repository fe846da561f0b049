"""The store at a place, be that a folder of this machine or an address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lacuna.corpus.address import address_of
from lacuna.corpus.store import Store, is_store
from lacuna.errors import LacunaError

if TYPE_CHECKING:
    from lacuna.corpus.lance.lance_store import LanceStore


def is_corpus(place: Path) -> bool:
    """Whether a place is a corpus of its own, rather than documents that are to be indexed."""
    return address_of(place) is not None or is_store(place)


def store_at(place: Path) -> Store:
    """Open a corpus that is there."""
    address = address_of(place)
    return Store.open(place) if address is None else lance_store(address)


def new_store_at(place: Path) -> Store:
    """Open a corpus to write to it; make an empty one if there is none."""
    address = address_of(place)
    return Store.create(place) if address is None else lance_store(address, must_exist=False)


def lance_store(address: str, *, must_exist: bool = True) -> LanceStore:
    """The store at an address."""
    try:
        from lacuna.corpus.lance.lance_store import LanceStore
    except ModuleNotFoundError as error:
        if error.name not in ("lance", "pyarrow"):
            raise
        raise LacunaError(
            f"{address} needs pylance. Install it with: pip install 'lacuna-qa[scale]'"
        ) from error
    return LanceStore(address, must_exist=must_exist)
