"""Documents that tell of people."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus.store import Store
from lacuna.pipeline.people import is_person
from lacuna.types import Document


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store.create(tmp_path / "corpus")
    with made.writer() as writer:
        writer.add(
            [
                Document("Ada Quill", "Ada Quill (3 May 1897 – 1960) was a master of ships."),
                Document("Bram Orde", "Bram Orde, born in Port Ellery, taught her."),
                Document("Marrow", "The Marrow was a ship (it was lost). She sailed in 1931."),
            ]
        )
    return made


def test_people_begin_with_a_lifetime(store: Store) -> None:
    assert is_person(store, "Ada Quill")
    assert is_person(store, "bram orde")
    assert not is_person(store, "Marrow")
    assert not is_person(store, "Nobody")
