"""A corpus that a cluster builds while another machine writes to the same address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lacuna.corpus.formats import dumps as parts
from lacuna.corpus.store import new_store_at, store_at
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document
from lacuna_scale.cluster import building
from lacuna_scale.lance import publish as claim
from lacuna_scale.lance.publish import Claim
from lacuna_scale.lance.snapshot import StateTable
from lacuna_scale.lance.tables import Tables

pytest.importorskip("lance")


@pytest.fixture
def index(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str | Path, ...]:
    """A command that builds a corpus of several parts; signs of life follow each other quickly."""
    monkeypatch.setattr(claim, "BEAT", 0.3)
    monkeypatch.setattr(claim, "CLAIM_TIMEOUT_SECONDS", 2.0)
    monkeypatch.setattr(parts, "PART_BYTES", 2000)
    dump = tmp_path / "fish.jsonl"
    pages = ({"title": f"Fish {number}", "text": "A fish."} for number in range(200))
    dump.write_text("".join(f"{json.dumps(page)}\n" for page in pages))
    return "index", dump, "--out", f"file://{tmp_path}/there"


def test_while_another_machine_writes_it_is_told(
    lacuna: Any, cluster: Any, index: tuple[Any, ...]
) -> None:
    address = index[-1]
    with Claim(address, StateTable(Tables(address))):
        ran = lacuna(*index, ray=cluster.address)
    assert ran.code == 2
    assert "being written" in ran.err
    ran = lacuna(*index, ray=cluster.address)
    assert ran.code == 0, ran.err
    with store_at(Path(address)) as store:
        assert len(store) == 200


def test_one_that_slept_is_told_and_the_other_stays(
    lacuna: Any,
    cluster: Any,
    index: tuple[Any, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Claim, "_beat", lambda _: None)
    address, add = index[-1], building._Journal.add
    slept: list[int] = []

    def another_writes(journal: Any, part: Any) -> None:
        add(journal, part)
        if slept:
            return
        slept.append(part.number)
        with monkeypatch.context() as patch:
            patch.setenv("LACUNA_CACHE", str(tmp_path / "another machine"))
            with new_store_at(Path(address)) as store, store.writer() as writer:
                writer.add([Document("Awake", "A text.")])

    monkeypatch.setattr(building._Journal, "add", another_writes)
    ran = lacuna(*index, ray=cluster.address)
    assert slept
    assert ran.code == 2
    assert "written by another process meanwhile" in ran.err
    with store_at(Path(address)) as store:
        assert list(store.titles()) == ["Awake"]


def test_what_was_built_but_never_published_is_no_hindrance_to_another_machine(
    lacuna: Any,
    cluster: Any,
    index: tuple[Any, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = index[-1]

    def dies(*_: object) -> None:
        raise LacunaError("The machine lost its power.")

    with monkeypatch.context() as patch:
        patch.setattr(Claim, "publish", dies)
        assert lacuna(*index, ray=cluster.address).code == 2
    with pytest.raises(LacunaError, match="There is no corpus at"):
        store_at(Path(address))
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "another machine"))
    ran = lacuna(*index, ray=cluster.address)
    assert ran.code == 0, ran.err
    with store_at(Path(address)) as store:
        assert list(store.titles()) == [f"Fish {number}" for number in range(200)]
        assert store.document("Fish 7").text == "A fish."
        assert len(Bm25Retriever(store).search("fish", 300)) == 200
