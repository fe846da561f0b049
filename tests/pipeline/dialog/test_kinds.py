"""People are told from things by how their documents begin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lacuna.corpus.store import Store
from lacuna.pipeline.dialog.questions import NameKind, kind_in, looks_like_full_name, may_be_person
from lacuna.types import Document


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "corpus") as made:
        with made.writer() as writer:
            writer.add(
                [
                    Document("Ada Quill", "Ada Quill (1897 – 1960) led ships. She left in 1931."),
                    Document(
                        "Bram Orde", "Bram Orde, born in Port Ellery, taught her. He left; he"
                    ),
                    Document("Cory Vane", "Cory Vane (1897 – 1960) was a master of ships."),
                    Document("Marrow", "The Marrow was a ship (it was lost). She sailed in 1931."),
                    Document(
                        "Caddo", "Caddo (since 1999) is a program. It makes copies of its files."
                    ),
                ]
            )
        yield made


def test_kinds(store: Store) -> None:
    assert kind_in(store, "ada quill") is NameKind.WOMAN
    assert kind_in(store, "Bram Orde") is NameKind.MAN
    assert kind_in(store, "Cory Vane") is NameKind.PERSON
    assert kind_in(store, "Marrow") is NameKind.OTHER
    assert kind_in(store, "Caddo") is NameKind.OTHER, "years alone make no person"
    assert kind_in(store, "Nobody") is None
    assert kind_in(store, "") is None


def test_organisations_are_no_people() -> None:
    assert not may_be_person("the Falcon Project")
    assert not may_be_person("Sund University Press")
    assert not may_be_person("version 2")
    assert may_be_person("J. R. Orde")
    assert not looks_like_full_name("Ada")
    assert not looks_like_full_name("Bank of Selmory")
