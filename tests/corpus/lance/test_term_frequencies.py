"""How many passages have a term, from a table in memory or looked up in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus.store import new_store_at
from lacuna.types import Document
from lacuna_scale.lance import snapshot as term_frequencies
from lacuna_scale.lance.snapshot import TermFrequencies
from lacuna_scale.lance.store import LanceStore
from lacuna_scale.lance.tables import TermNumbers

TERMS = ["ferri", "nobodi", "größe", "island", "aaa", "zzz"]


@pytest.mark.usefixtures("machine")
def test_both_ways_count_the_same(disk_address: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new_store_at(disk_address) as store:
        assert isinstance(store, LanceStore)
        with store.writer() as writer:
            writer.add(
                [Document("One", "A ferry. Größe."), Document("Two", "Ferry, ferry, island")]
            )
        expected = [2, 0, 1, 1, 0, 0]
        assert TermFrequencies(store.snapshot).of(TERMS) == expected
        monkeypatch.setattr(term_frequencies, "READ_WHOLE", 0)
        assert TermFrequencies(store.snapshot).of(TERMS) == expected


def test_numbers_are_the_same_on_every_machine() -> None:
    one, other = TermNumbers(), TermNumbers()
    other.of(reversed(TERMS))
    assert one.of(TERMS) == other.of(TERMS)
    assert len(set(one.of(TERMS))) == len(TERMS)
    assert one.of(["ferri"]) == [FERRI]


FERRI = 4925371540805543386
"""What is stored in corpora must not change."""
