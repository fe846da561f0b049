"""At an address every lookup is a request, so the links of a document are looked up together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stand_in import StandIn

from lacuna.corpus.store import new_store_at, store_at
from lacuna.serve.corpora import OpenCorpus
from lacuna.serve.document_schemas import NeighbourhoodQuery, PathQuery
from lacuna.serve.exploring import found_document, link_path, links_of, neighbourhood
from lacuna.serve.schemas import CorpusKind
from lacuna.types import Document, Link
from lacuna_scale.lance.snapshot import Snapshot

PORTS = [f"Port {number}" for number in range(40)]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenCorpus]:
    """A document with many links, at an address, of which nothing is remembered yet."""
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "cache"))
    text, links = "", []
    for port in (*PORTS, "Nowhere"):
        links.append(Link(len(text), len(text) + len(port), port.lower()))
        text += f"{port}, "
    address = Path(f"file://{tmp_path}/shared/corpus")
    with new_store_at(address) as store, store.writer() as writer:
        writer.add([Document("Ferry", text, links=tuple(links))])
        writer.add(Document(port, f"About {port}.") for port in PORTS)
    with store_at(address) as store:
        yield OpenCorpus("id", "ports", CorpusKind.FOLDER, StandIn(store))


@pytest.fixture
def requests(corpus: OpenCorpus, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables that were asked, once for each time."""
    seen: list[str] = []
    rows = Snapshot.rows

    def noting(self: Snapshot, name: str, *given: Any, **named: Any) -> Iterator[tuple[Any, ...]]:
        seen.append(name)
        return rows(self, name, *given, **named)

    monkeypatch.setattr(Snapshot, "rows", noting)
    return seen


def test_the_links_of_a_document(corpus: OpenCorpus, requests: list[str]) -> None:
    ferry = found_document(corpus, "Ferry")
    requests.clear()
    assert [link.title for link in links_of(corpus, ferry)] == [*PORTS, None]
    assert len(requests) <= 2, "documents and redirects"


def test_a_way_and_a_neighbourhood(corpus: OpenCorpus, requests: list[str]) -> None:
    corpus.answerer.store.graph()
    requests.clear()
    way = link_path(corpus, PathQuery(start="Ferry", goal="Port 39"))
    assert [link.text for link in way.links] == ["Port 39"]
    assert len(requests) < len(PORTS) / 2
    requests.clear()
    around = neighbourhood(corpus, NeighbourhoodQuery(title="Port 1", hops=1, also=PORTS[:8]))
    assert {one.title for one in around.documents} == {"Ferry", *PORTS[:8]}
    assert len(requests) <= 8
