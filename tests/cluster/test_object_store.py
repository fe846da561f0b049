"""A corpus that a cluster builds in an object store which fails, fills up or refuses meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from benchmarks.corpora.object_store import BUCKET, SECRET, ObjectStore

from lacuna.corpus.formats import dumps as parts
from lacuna.corpus.store import store_at
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna_scale.cluster import building

pytest.importorskip("lance")
DOCUMENTS = 120


@pytest.fixture(scope="module")
def object_store(whole_cluster: Any) -> Iterator[ObjectStore]:
    """Workers have the environment of their node, so the nodes are started anew."""
    with ObjectStore() as store, pytest.MonkeyPatch.context() as patch:
        for name, value in store.environment.items():
            patch.setenv(name, value)
        whole_cluster.renew()
        yield store


@pytest.fixture
def index(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str | Path, ...]:
    """A command that builds a corpus of several parts."""
    monkeypatch.setattr(parts, "PART_BYTES", 2000)
    dump = tmp_path / "fish.jsonl"
    pages = ({"title": f"Fish {n}", "text": f"It is of kind k{n % 8}."} for n in range(DOCUMENTS))
    dump.write_text("".join(f"{json.dumps(page)}\n" for page in pages))
    address = f"s3://{BUCKET}/{uuid4().hex}"
    return "index", dump, "--out", address


@contextmanager
def noting_parts(then: Callable[[], None] = lambda: None) -> Iterator[list[int]]:
    """The numbers of parts that are done; after each of them something may happen."""
    added, noted = building._Journal.add, list[int]()

    def add(journal: Any, part: Any) -> None:
        added(journal, part)
        noted.append(part.number)
        then()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building._Journal, "add", add)
        yield noted


def assert_whole(address: str) -> None:
    with store_at(Path(address)) as store:
        assert list(store.titles()) == [f"Fish {n}" for n in range(DOCUMENTS)]
        found = {hit.title for hit in Bm25Retriever(store).search("k3", DOCUMENTS)}
        assert found == {f"Fish {n}" for n in range(3, DOCUMENTS, 8)}


def test_a_store_that_fails_now_and_then(
    lacuna: Any, cluster: Any, index: tuple[Any, ...], object_store: ObjectStore
) -> None:
    with object_store.with_faults(failing=0.05):
        ran = lacuna(*index, ray=cluster.address)
        assert object_store.requests > 100
    assert ran.code == 0, ran.err
    assert_whole(index[-1])
    for name, content in object_store.contents():
        assert SECRET.encode() not in content, name
        assert b"AKIATESTING" not in content, name


@pytest.mark.parametrize(
    ("fault", "told"),
    [({"full": True}, "no room left"), ({"refusing": "ExpiredToken"}, "refuses the credentials")],
)
def test_what_goes_wrong_meanwhile_is_told_and_the_same_command_goes_on(
    lacuna: Any,
    cluster: Any,
    index: tuple[Any, ...],
    object_store: ObjectStore,
    fault: dict[str, Any],
    told: str,
) -> None:
    def go_wrong() -> None:
        for name, value in fault.items():
            setattr(object_store, name, value)

    with noting_parts(go_wrong) as built:
        ran = lacuna(*index, ray=cluster.address)
    object_store.heal()
    assert ran.code == 2
    assert told in ran.err
    assert SECRET not in ran.err
    assert "AKIATESTING" not in ran.err
    with pytest.raises(LacunaError, match="There is no corpus at"):
        store_at(Path(index[-1]))
    with noting_parts() as later:
        ran = lacuna(*index, ray=cluster.address)
    assert ran.code == 0, ran.err
    assert later, "some parts were missing"
    assert not set(built) & set(later), "what was built is not built again"
    assert_whole(index[-1])
