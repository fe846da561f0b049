"""What every store does, wherever it is kept: in a folder, on a shared disk, in an object store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from benchmarks.corpora.object_store import BUCKET, ObjectStore
from equal_stores import assert_equal, hits

from lacuna import demo
from lacuna.corpus.open import copy_corpus
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Redirect, Skipped, Store, new_store_at, store_at
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document, Link, Markup, MarkupKind, Picture, Section, Span
from lacuna_scale.lance import store as lance_store

KINDS = ("folder", "disk", "s3")
MARKED = Document(
    "Größe & 'quotes'",
    "Ein Text. It has two sentences, and a half surrogate: \udc80.",
    sentences=(Span(0, 9), Span(10, 56)),
    links=(Link(0, 3, "tern"), Link(4, 8, "Nowhere", "part")),
    paragraphs=(Span(0, 56),),
    sections=(Section(("Größe & 'quotes'", "It's a part"), 0, 56),),
    extra={"id": [7, "ü"]},
    markup=(Markup(MarkupKind.CODE, 0, 3),),
    pictures=(Picture(4, 8, "img/größe.png"),),
)
ITEMS = (
    MARKED,
    Document("AIDS", "An illness."),
    Document("Help", "What the old ferry brings."),
    Redirect("Aids", "Help"),
    Redirect("Loop", "Pool"),
    Redirect("Pool", "Loop"),
    Redirect("Old ferry", "help", "Ways"),
    Skipped("page 7", "it's empty"),
)

Place = Callable[[str], Path]


@pytest.fixture
def new_place(tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    """A place of a kind where nothing is yet."""

    def place(kind: str) -> Path:
        name = uuid4().hex
        if kind == "s3":
            request.getfixturevalue("object_store")
            return Path(f"s3://{BUCKET}/{name}")
        return Path(f"file://{tmp_path}/{name}") if kind == "disk" else tmp_path / name

    return place


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, new_place: Place) -> Path:
    return new_place(request.param)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer generation is seen at once, not after some seconds."""
    monkeypatch.setattr(lance_store, "LOOK_EVERY", -1.0)


def fill(place: Path, *sources: Path) -> Store:
    """A corpus with something of everything."""
    store = new_store_at(place)
    with store.writer() as writer:
        for source in sources:
            refresh_source(writer, source)
        writer.add(ITEMS, source="made", state="1")
    return store


@pytest.fixture(scope="session")
def notes(tmp_path_factory: pytest.TempPathFactory, examples: Path) -> Path:
    """A folder of notes, one of which cannot be read, with links that lead nowhere."""
    folder = tmp_path_factory.mktemp("notes")
    for path in (examples / "notes").glob("*.md"):
        (folder / path.name).write_text(path.read_text())
    (folder / "part").mkdir()
    (folder / "part" / "broken.ipynb").write_text("{")
    (folder / "part" / "tern.md").write_text(
        "# Tern\n\nA *bird*. See [Marrow](../Marrow.md), [nobody](nobody.md).\n\n## Food\n\nFish.\n"
    )
    (folder / "part" / "list.md").write_text("# List\n\n- one\n- `two`\n\n| a | b |\n|---|---|\n")
    return folder


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory, notes: Path) -> Iterator[Store]:
    with fill(tmp_path_factory.mktemp("expected") / "store", notes, demo.ARTICLES) as store:
        yield store


@pytest.mark.parametrize("kind", KINDS[1:])
def test_all_that_is_indexed_is_the_same(
    new_place: Place, kind: str, notes: Path, expected: Store
) -> None:
    place = new_place(kind)
    with fill(place, notes, demo.ARTICLES) as store:
        assert_equal(store, expected)
    with store_at(place) as again:
        assert again.document("tern").origin == expected.document("tern").origin
        assert again.skipped_count() == 2


@pytest.mark.parametrize(("kind", "other"), [("folder", "s3"), ("disk", "folder"), ("s3", "disk")])
def test_a_copy_is_equal_and_so_is_a_copy_of_it(
    new_place: Place, kind: str, other: str, notes: Path
) -> None:
    first, second, third = new_place(kind), new_place(other), new_place(kind)
    fill(first, notes).close()
    copy_corpus(first, second)
    copy_corpus(second, third)
    with store_at(first) as one, store_at(second) as two, store_at(third) as three:
        assert_equal(one, two)
        assert_equal(one, three)
    with pytest.raises(LacunaError, match="already"):
        copy_corpus(first, second)


@pytest.mark.parametrize("kind", KINDS[1:])
def test_every_way_to_search_finds_the_same(
    new_place: Place, kind: str, notes: Path, expected: Store
) -> None:
    with fill(new_place(kind), notes, demo.ARTICLES) as store:
        ways: list[tuple[str, dict[str, Any]]] = [
            ("bank governor", {"all_words": True}),
            ("", {"phrases": ["Bank of Selmory"]}),
            ("governor", {"phrases": ["the Bank of Selmory", "first governor"]}),
            ("governor", {"phrases": ["Selmory of Bank"]}),
            ("founded", {"phrases": ["bank"], "all_words": True}),
            ("governor", {"documents": ["bank_of_selmory", "Torrow"]}),
            ("governor", {"documents": ["no such document"]}),
            ("island", {"section": ["Torrow", "History"]}),
            ("text", {"section": ["Größe & 'quotes'"]}),
            ("ferry islands", {"snippets": True}),
        ]
        for query, how in ways:
            found = hits(Bm25Retriever(store), query, **how)
            assert found == hits(Bm25Retriever(expected), query, **how), (query, how)


@pytest.mark.usefixtures("at_once")
def test_what_changes_is_seen_by_those_who_read(place: Path, notes: Path) -> None:
    fill(place, notes).close()
    with store_at(place) as reader, new_store_at(place) as store:
        search = Bm25Retriever(reader)
        generation, token = reader.generation, reader.token
        before = len(reader)
        with store.writer() as writer:
            writer.remove("AIDS")
            writer.add([Document("Help", "Another text with zyxword."), Document("New", "Fresh.")])
        assert reader.generation > generation
        assert reader.token != token
        assert len(reader) == before
        assert "New" in reader
        assert reader.resolve("AIDS") == "Help", "the redirect is left"
        assert [hit.title for hit in search.search("zyxword")] == ["Help"]
        assert not search.search("illness")
        assert reader.document("Help").text == "Another text with zyxword."
        with pytest.raises(LacunaError, match="Did you mean 'New'"):
            reader.document("Newt")
        assert list(reader.titles())[-2:] == ["Help", "New"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_replaced_counts_no_more_in_scores(new_place: Place, kind: str) -> None:
    """A text index may have passages for a while that are gone."""
    before = [Document(f"T{number}", f"common word{number}") for number in range(20)]
    after = [Document(f"T{number}", f"another word{number}") for number in range(10)]
    with new_store_at(new_place(kind)) as store, new_store_at(new_place("folder")) as anew:
        with store.writer() as writer:
            writer.add(before)
        with store.writer() as writer:
            writer.add(after)
        with anew.writer() as writer:
            writer.add([*before[10:], *after])
        for query in ("common", "another word7"):
            assert hits(Bm25Retriever(store), query) == hits(Bm25Retriever(anew), query)


def test_an_unchanged_source_is_not_read_again(place: Path, notes: Path) -> None:
    fill(place, notes).close()
    with new_store_at(place) as store, store.writer() as writer:
        assert not refresh_source(writer, notes).changed


def test_many_additions_end_like_one(new_place: Place, tmp_path: Path) -> None:
    dump = tmp_path / "dump.jsonl"
    rows = [
        json.dumps({"title": f"T{number}", "text": f"word{number} shared"}) for number in range(30)
    ]
    disk = new_place("disk")
    for count in (10, 20, 30):
        dump.write_text("\n".join(rows[:count]))
        with new_store_at(disk) as store, store.writer() as writer:
            refresh_source(writer, dump)
    with new_store_at(new_place("folder")) as once, store_at(disk) as store:
        with once.writer() as writer:
            refresh_source(writer, dump)
        assert list(store.titles()) == list(once.titles())
        for query in ("shared", "word7", "word29"):
            assert hits(Bm25Retriever(store), query) == hits(Bm25Retriever(once), query)


def test_what_fails_in_the_middle_is_not_seen(place: Path, notes: Path) -> None:
    fill(place, notes).close()
    with store_at(place) as before:
        titles = list(before.titles())
    with (
        new_store_at(place) as store,
        pytest.raises(RuntimeError, match="stop"),
        store.writer() as writer,
    ):
        writer.put(Document("Half", "Never committed."))
        raise RuntimeError("stop")
    with store_at(place) as after:
        assert list(after.titles()) == titles


def test_an_empty_place_is_told(object_store: ObjectStore) -> None:
    with pytest.raises(LacunaError, match="There is no corpus at s3://bucket/nothing"):
        store_at(Path("s3://bucket/nothing"))
