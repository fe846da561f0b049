"""Copy a corpus from one place to another, between folders and addresses, all that it holds."""

from __future__ import annotations

import tempfile
from pathlib import Path

from lacuna.corpus.address import address_of
from lacuna.corpus.at_place import lance_store
from lacuna.corpus.safekeeping.backup import back_up, refuse_target
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError


def copy_corpus(source: Path, target: Path) -> int:
    """Make a corpus at a new place that is equal to another; how many documents it has."""
    read, written = address_of(source), address_of(target)
    if written is None:
        if read is None:
            return back_up(source, target)
        refuse_target(target)
        return _fetched(read, target)
    if read is None:
        return _published(source, written)
    with tempfile.TemporaryDirectory() as scratch:
        _fetched(read, Path(scratch) / "copy")
        return _published(Path(scratch) / "copy", written)


def _fetched(address: str, target: Path) -> int:
    with lance_store(address) as store:
        from lacuna.corpus.lance.fetch import fetch

        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as part:
                fetch(store.tables, store.state, Path(part) / "copy")
                with Store.open(Path(part) / "copy") as copy:
                    count = sum(1 for _ in copy)  # each is compared with its checksum
                (Path(part) / "copy").replace(target)
        except OSError as error:
            raise LacunaError(
                f"{address} was not copied to {target}: {error.strerror or error}."
            ) from error
    return count


def _published(folder: Path, address: str) -> int:
    with lance_store(address, must_exist=False) as target:
        from lacuna.corpus.lance.claim import Claim
        from lacuna.corpus.lance.publish import publish
        from lacuna.corpus.lance.state import StateTable

        if target.state.is_published:
            raise LacunaError(f"There is a corpus at {address} already. Give a new address.")
        with Store.open(folder) as store, Claim(address, StateTable(target.tables)) as claim:
            if claim.state.is_published:
                raise claim.overtaken()
            publish(store, target.tables, claim)
            return len(store)
