"""Tables open while nobody waits, and a failure is no more than one attempt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lacuna.corpus.store import new_store_at, store_at
from lacuna.errors import AddressError, LacunaError
from lacuna.types import Document
from lacuna_scale.lance.snapshot import OpenTables, State, StateTable
from lacuna_scale.lance.store import LanceStore


@pytest.mark.usefixtures("machine")
def test_a_table_that_could_not_be_opened_is_tried_again(
    disk_address: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_store_at(disk_address) as store:
        assert isinstance(store, LanceStore)
        with store.writer() as writer:
            writer.add([Document("One", "A ferry.")])
        with monkeypatch.context() as patch:

            def fail(*_: object) -> Any:
                raise AddressError("no answer")

            patch.setattr(store.tables, "open", fail)
            opened = OpenTables(store.tables, store.state, ("documents", "no such table"))
            with pytest.raises(AddressError):
                opened.wait()
        assert opened["documents"].count_rows() == 1


@pytest.mark.usefixtures("machine")
def test_a_corpus_of_an_early_format_is_refused(disk_address: Path) -> None:
    with new_store_at(disk_address) as store:
        assert isinstance(store, LanceStore)
        StateTable(store.tables).commit(State(format=1, token="old"))
    with pytest.raises(LacunaError, match="early version"):
        store_at(disk_address)
