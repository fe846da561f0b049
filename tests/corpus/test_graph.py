import shutil
import sys
from collections import deque
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.graph import LinkArrays, csr, export_graph
from lacuna.corpus.store import Redirect, Store
from lacuna.errors import LacunaError
from lacuna.types import Document, Link, Span


def page(title: str, *targets: str, lead: int = 100) -> Document:
    """A page whose first ``lead`` links stand in its first paragraph."""
    text = "x" * len(targets)
    links = tuple(Link(place, place + 1, target) for place, target in enumerate(targets))
    cut = min(lead, len(text))
    return Document(title, text, links=links, paragraphs=(Span(0, cut), Span(cut, len(text))))


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    store = Store.create(tmp_path / "store")
    with store.writer() as writer:
        writer.add(
            [
                page("A", "b_page", "B page", "Nowhere", "C", lead=1),
                page("B page", "Old C", "a"),
                page("C", "", "Loop"),
                page("<D> & Co", "A"),
                Redirect("Old C", "older c"),
                Redirect("Older C", "C"),
                Redirect("Loop", "Loop"),
            ]
        )
    return store


def test_links_resolve_as_titles_do_and_count_once(store: EmbeddedStore) -> None:
    graph = store.graph()
    assert graph.out_links("a") == ["B page", "C"]
    assert graph.out_links("B page") == ["A", "C"]
    assert graph.in_links("C") == ["A", "B page"]
    assert [graph.in_link_count(title) for title in graph.titles()] == [2, 1, 2, 0]


def test_links_to_nothing_and_to_loops_dangle(store: EmbeddedStore) -> None:
    graph = store.graph()
    assert graph.dangling("A") == ["Nowhere"]
    assert graph.dangling("C") == ["Loop"]
    assert set(graph.most_wanted()) == {("Nowhere", 1), ("Loop", 1)}


def test_the_first_paragraph_has_a_graph_of_its_own(store: EmbeddedStore) -> None:
    graph = store.graph()
    assert graph.out_links("A", lead=True) == ["B page"]
    assert graph.in_links("C", lead=True) == ["B page"]


def test_paths_go_along_links(store: EmbeddedStore) -> None:
    graph = store.graph()
    assert graph.path("<D> & Co", "C") == ["<D> & Co", "A", "C"]
    assert graph.path("A", "A") == ["A"]
    assert graph.path("C", "A") is None
    with pytest.raises(LacunaError, match="no document 'Cc'"):
        graph.path("A", "Cc")


def test_the_graph_follows_the_store(store: EmbeddedStore) -> None:
    before = store.graph()
    with store.writer() as writer:
        writer.add([page("Nowhere")])
        writer.remove("C")
    after = store.graph()
    assert after.generation > before.generation
    assert after.out_links("A") == ["B page", "Nowhere"]
    assert after.dangling("A") == ["C"]
    kept = {path.name for path in store.folder.glob("graph-*")}
    assert kept == {f"graph-{graph.generation}" for graph in (before, after)}, "both are read"


EDGES = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)


def distances(edges: list[tuple[int, int]], start: int) -> dict[int, int]:
    far, waiting = {start: 0}, deque([start])
    while waiting:
        node = waiting.popleft()
        for source, target in edges:
            if source == node and target not in far:
                far[target] = far[node] + 1
                waiting.append(target)
    return far


@given(EDGES, st.integers(0, 9), st.integers(0, 9))
def test_no_path_is_shorter(edges: list[tuple[int, int]], start: int, goal: int) -> None:
    rows, columns = np.array(edges or np.zeros((0, 2)), np.int64).T
    links = LinkArrays({**csr("out", rows, columns, 10), **csr("in", columns, rows, 10)})
    path = links.path(start, goal)
    far = distances(edges, start)
    if goal not in far:
        assert path is None
    else:
        assert path is not None
        assert (path[0], path[-1], len(path) - 1) == (start, goal, far[goal])
        assert all(step in edges for step in pairwise(path))


def test_graphml_holds_all_nodes_and_edges(store: EmbeddedStore, tmp_path: Path) -> None:
    export_graph(store.graph(), tmp_path / "links.graphml")
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = ElementTree.parse(tmp_path / "links.graphml").getroot()
    titles = {node.get("id"): node.findtext(f"{space}data") for node in root.iter(f"{space}node")}
    edges = {
        (titles[edge.get("source")], titles[edge.get("target")])
        for edge in root.iter(f"{space}edge")
    }
    expected = {("A", "B page"), ("A", "C"), ("B page", "A"), ("B page", "C"), ("<D> & Co", "A")}
    assert edges == expected


def test_parquet_holds_all_edges(store: EmbeddedStore, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    export_graph(store.graph(), tmp_path / "links.parquet", lead=True)
    table = parquet.read_table(tmp_path / "links.parquet").to_pylist()
    edges = {(row["source"], row["target"]) for row in table}
    assert edges == {("A", "B page"), ("B page", "A"), ("B page", "C"), ("<D> & Co", "A")}


def test_parquet_without_pyarrow_says_how_to_get_it(
    store: EmbeddedStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(LacunaError, match=r"pip install 'lacuna-qa\[parquet\]'"):
        export_graph(store.graph(), tmp_path / "links.parquet")


def test_other_formats_are_refused(store: EmbeddedStore, tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match=r"\.graphml or \.parquet"):
        export_graph(store.graph(), tmp_path / "links.dot")


def test_arrays_that_cannot_be_kept_are_used_from_memory(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kept in store.folder.glob("graph-*"):
        shutil.rmtree(kept)

    def refuse(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(np, "save", refuse)
    with Store.open(store.folder) as reader:
        assert reader.graph().out_links("a") == ["B page", "C"]
    assert not list(store.folder.glob("graph*"))


def test_damaged_arrays_are_made_again(store: EmbeddedStore) -> None:
    store.graph()
    (kept,) = store.folder.glob("graph-*")
    (kept / "out_ends.npy").write_bytes(b"")
    with Store.open(store.folder) as reader:
        assert reader.graph().out_links("a") == ["B page", "C"]
