"""Keeping up with a folder: what is read again, what is taken out, and that the rest stays."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.formats import isolation, plain
from lacuna.corpus.formats.detect import detect_source
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.refresh import refresh_source, refresh_store, source_state
from lacuna.corpus.store import Store
from lacuna.corpus.writer import Added
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "2023").mkdir(parents=True)
    (folder / "a.md").write_text("# Ferry\n\nIt sails to [the port](2023/port.md).\n")
    (folder / "2023" / "port.md").write_text("# Port\n\nA harbour with [a school](school.md).\n")
    (folder / "list.txt").write_text("Three boats.\n")
    (folder / "odd.xyz").write_bytes(b"\0\1")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    return Store.create(tmp_path / "corpus")


def read(store: EmbeddedStore, folder: Path, source_format: str | None = None) -> Added:
    with store.writer() as writer:
        return refresh_source(writer, folder, source_format)


def content(store: EmbeddedStore) -> dict[str, Any]:
    """All that can be told of a store, but for the numbers of its rows."""
    return {
        "documents": {document.title: asdict(document) for document in store},
        "redirects": {(r.title, r.target) for r in store.redirects()},
        "skipped": set(map(str, store.skipped())),
        "links": {t: sorted(store.graph().out_links(t)) for t in store.titles()},
        "dangling": {t: sorted(store.graph().dangling(t)) for t in store.titles()},
        "counts": [store.count(name) for name in ("passages", "title_terms", "body_terms")],
        "sources": [asdict(source) for source in store.sources()],
    }


def test_what_is_read_and_what_is_not(store: EmbeddedStore, folder: Path) -> None:
    added = read(store, folder)
    assert (added.documents, added.skipped) == (3, 1)
    assert sorted(store.titles()) == ["Ferry", "Port", "list"]
    assert [skipped.where for skipped in store.skipped()] == ["odd.xyz"]
    (source,) = store.sources()
    assert (source.files, source.documents, source.skipped) == (3, 3, 1)
    assert (source.resolved, source.missing, source.outside) == (1, 1, 0)
    origin = store.document("Port").origin
    assert origin is not None
    assert (origin.file, str(origin.at(0))) == ("2023/port.md", "2023/port.md:3")
    file = (folder.resolve() / "2023" / "port.md").as_uri()
    assert origin.at(0).url.partition("#")[0] == file


def test_nothing_changed_is_seen_without_reading(
    store: EmbeddedStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(store, folder)
    generation = store.generation
    monkeypatch.setattr(plain, "parse_plain", None)
    assert not read(store, folder).changed
    assert store.generation == generation


def test_only_what_changed_is_parsed(
    store: EmbeddedStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(store, folder)
    parsed: list[str] = []

    def watched(*arguments: Any) -> Any:
        detected = detect_source(*arguments)

        class Watching(type(detected)):  # type: ignore[misc]
            def begin(self, entry: Entry) -> Any:
                parsed.append(entry.name)
                return super().begin(entry)

        return Watching(*(getattr(detected, name) for name in detected.__slots__))

    monkeypatch.setattr("lacuna.corpus.refresh.detect_source", watched)
    (folder / "list.txt").write_text("Four boats.\n")
    added = read(store, folder)
    assert parsed == ["list.txt"]
    assert (added.documents, added.replaced, added.before) == (1, 1, 3)
    assert store.document("list").text == "Four boats.\n"
    assert Bm25Retriever(store).search("four")
    assert not Bm25Retriever(store).search("three")


def test_a_file_skipped_for_a_missing_part_is_read_when_the_part_is_there(
    store: EmbeddedStore, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "guide.rst").write_text("Pilots\n======\n\nThey know the harbour.\n")
    hides = tmp_path / "hides" / "docutils.py"
    hides.parent.mkdir()
    hides.write_text("raise ModuleNotFoundError(name='docutils')\n")
    monkeypatch.syspath_prepend(str(hides.parent))
    monkeypatch.setattr(isolation, "_pool", isolation.ProcessPool())
    monkeypatch.setattr(
        "lacuna.corpus.database.find_spec", lambda name: None if hides.exists() else find_spec(name)
    )
    read(store, folder)
    assert {skipped.where for skipped in store.skipped()} == {"guide.rst", "odd.xyz"}
    assert "it needs docutils, which is not installed" in str(list(store.skipped()))
    generation = store.generation
    assert not refresh_store(store)
    assert store.generation == generation

    hides.unlink()
    assert refresh_store(store)
    assert store.document("Pilots").text == "They know the harbour."
    assert [skipped.where for skipped in store.skipped()] == ["odd.xyz"]
    assert not refresh_store(store)


def test_links_follow_what_comes_and_goes(store: EmbeddedStore, folder: Path) -> None:
    read(store, folder)
    assert store.graph().dangling("Port") == ["school"]
    (folder / "2023" / "school.md").write_text("# The School\n\nClosed.\n")
    read(store, folder)
    assert store.graph().out_links("Port") == ["The School"]
    (folder / "2023" / "port.md").rename(folder / "2023" / "harbour.md")
    read(store, folder)
    assert store.graph().out_links("Ferry") == []
    assert store.graph().dangling("Ferry") == ["2023/port.md"]


def test_titles_that_clash_are_told_apart_and_back(store: EmbeddedStore, folder: Path) -> None:
    read(store, folder)
    (folder / "2024").mkdir()
    (folder / "2024" / "port.md").write_text("# Port\n\nAnother.\n")
    read(store, folder)
    assert sorted(store.titles()) == ["Ferry", "Port (2023)", "Port (2024)", "list"]
    assert store.graph().out_links("Ferry") == ["Port (2023)"]
    shutil.rmtree(folder / "2024")
    read(store, folder)
    assert sorted(store.titles()) == ["Ferry", "Port", "list"]
    assert store.graph().out_links("Ferry") == ["Port"]


def test_a_file_that_becomes_unreadable_and_readable(store: EmbeddedStore, folder: Path) -> None:
    read(store, folder)
    (folder / "list.txt").write_bytes(b"\xff\0")
    read(store, folder)
    assert "list" not in store
    assert {skipped.where for skipped in store.skipped()} == {"list.txt", "odd.xyz"}
    (folder / "list.txt").write_text("Five boats.")
    (folder / "odd.xyz").unlink()
    read(store, folder)
    assert "list" in store
    assert not list(store.skipped())


def test_a_folder_read_in_one_format_alone(store: EmbeddedStore, folder: Path) -> None:
    read(store, folder, "markdown")
    assert sorted(store.titles()) == ["Ferry", "Port"]
    read(store, folder)
    assert sorted(store.titles()) == ["Ferry", "Port", "list"]
    read(store, folder, "text")
    assert sorted(store.titles()) == ["list"]


def test_an_archive_is_kept_up_with_too(store: EmbeddedStore, folder: Path, tmp_path: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "notes"), "zip", folder))
    assert read(store, archive).documents == 3
    (folder / "list.txt").write_text("Four boats.\n")
    (folder / "a.md").unlink()
    shutil.make_archive(str(tmp_path / "notes"), "zip", folder)
    added = read(store, archive)
    assert (added.documents, added.removed, added.before) == (1, 1, 1)
    assert sorted(store.titles()) == ["Port", "list"]


def test_all_sources_of_a_store_are_refreshed(
    store: EmbeddedStore, folder: Path, tmp_path: Path
) -> None:
    dump = tmp_path / "more.jsonl"
    dump.write_text(json.dumps({"title": "Whale", "text": "Big."}))
    read(store, folder)
    read(store, dump)
    assert not refresh_store(store)
    dump.write_text(json.dumps({"title": "Whale", "text": "Very big."}))
    assert refresh_store(store)
    assert store.document("Whale").text == "Very big."
    shutil.rmtree(folder)
    assert not refresh_store(store), "a disk that is not there takes nothing away"
    assert "Ferry" in store


def test_a_page_and_an_item_of_a_dump_of_one_title(store: EmbeddedStore, folder: Path) -> None:
    read(store, folder)
    dump = folder.parent / "more.jsonl"
    dump.write_text(json.dumps({"title": "Ferry", "text": "Of the dump."}))
    read(store, dump)
    assert sorted(store.titles()) == ["Ferry", "Ferry (2)", "Port", "list"]


Change = Callable[[Path], None]
NAMES = ("a.md", "b.md", "sub/a.md", "sub/c.txt", "other/a.md")
TEXTS = (
    "# One\n\nSee [b](b.md), [c](sub/c.txt) and [[Two]].\n",
    "# Two\n\nSee [a](../a.md) or [[One]].\n",
    "Nothing but text with [[a]].\n",
)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from((None, *TEXTS))), max_size=4),
        min_size=1,
        max_size=4,
    )
)
def test_keeping_up_ends_where_reading_anew_does(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[tuple[str, str | None]]]
) -> None:
    base = tmp_path_factory.mktemp("rounds")
    folder = base / "notes"
    folder.mkdir()
    (folder / "always.txt").write_text("Always here.")
    with Store.create(base / "kept") as kept:
        for changes in rounds:
            for name, text in changes:
                path = folder / name
                path.parent.mkdir(exist_ok=True)
                if text is None:
                    path.unlink(missing_ok=True)
                else:
                    path.write_text(text)
            read(kept, folder)
        with Store.create(base / "anew") as anew:
            read(anew, folder)
            assert content(kept) == content(anew)


def test_another_corpus_at_the_same_place_is_another_source(tmp_path: Path) -> None:
    states = []
    for text in ("About herring.", "About salt."):
        with Store.create(tmp_path / "corpus") as corpus, corpus.writer() as writer:
            writer.add([Document("Isle", text)])
        states.append(source_state(tmp_path / "corpus", None))
        assert source_state(tmp_path / "corpus", None) == states[-1]
        shutil.rmtree(tmp_path / "corpus")
    assert states[0] != states[1]
