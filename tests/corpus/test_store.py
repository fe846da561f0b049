import sqlite3
from pathlib import Path

import pytest

from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.store import Redirect, Skipped, Store
from lacuna.errors import LacunaError
from lacuna.types import Document, Link, Section, Span

FERRY = Document(
    "Ferry",
    "A ferry is a ship. It sails.",
    sentences=(Span(0, 18), Span(19, 28)),
    links=(Link(13, 17, "Ship", "Kinds"),),
    paragraphs=(Span(0, 28),),
    sections=(Section(("Ferry",), 0, 28),),
    extra={"id": 7},
)


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    return Store.create(tmp_path / "store")


def fill(store: EmbeddedStore, *found: Document | Redirect | Skipped) -> None:
    with store.writer() as writer:
        writer.add(found)


def test_documents_come_back_after_reopening(store: EmbeddedStore) -> None:
    fill(store, FERRY, Document("Ship", "A vessel."))
    with Store.open(store.folder) as again:
        assert again.document("Ferry") == FERRY
        assert list(again.titles()) == ["Ferry", "Ship"]
        assert [document.title for document in again] == ["Ferry", "Ship"]
        assert len(again) == 2


def test_all_documents_stream_past_one_fetch(store: EmbeddedStore) -> None:
    fill(store, *(Document(f"T{number}", "") for number in range(600)))
    assert [document.title for document in store] == [f"T{number}" for number in range(600)]


@pytest.mark.parametrize("title", ["Old ferry", "old_FERRY", "Old%20ferry", "Ferry", "ferry"])
def test_titles_resolve_however_written(store: EmbeddedStore, title: str) -> None:
    fill(store, FERRY, Redirect("Old ferry", "Ferry boat"), Redirect("Ferry boat", "ferry"))
    assert store.resolve(title) == "Ferry"
    assert title in store


def test_an_exact_redirect_goes_before_a_title_that_is_only_alike(store: EmbeddedStore) -> None:
    fill(store, Document("AIDS", ""), Document("Help", ""), Redirect("Aids", "Help"))
    assert store.resolve("Aids") == "Help"
    assert store.resolve("aids") == "AIDS"


def test_loops_of_redirects_lead_nowhere(store: EmbeddedStore) -> None:
    fill(store, Redirect("A", "B"), Redirect("B", "c"), Redirect("C", "A"), Redirect("S", "S"))
    assert store.resolve("A") is None
    assert store.resolve("S") is None


def test_a_miss_says_what_may_have_been_meant(store: EmbeddedStore) -> None:
    fill(store, FERRY)
    with pytest.raises(LacunaError, match=r"no document 'Fery'.*Did you mean 'Ferry'\?"):
        store.document("Fery")


def test_adding_a_title_again_replaces_it(store: EmbeddedStore) -> None:
    fill(store, FERRY, Redirect("Boat", "Ferry"))
    fill(store, Document("Ferry", "New."), Document("Boat", "Own page."))
    assert store.document("Ferry").text == "New."
    assert store.document("Boat").text == "Own page."
    assert not list(store.redirects())


def test_removing_leaves_no_trace_in_the_numbers(store: EmbeddedStore) -> None:
    empty = [
        store.count(name) for name in ("passages", "title_terms", "heading_terms", "body_terms")
    ]
    fill(store, FERRY)
    with store.writer() as writer:
        writer.remove("Ferry")
    assert len(store) == 0
    assert [
        store.count(name) for name in ("passages", "title_terms", "heading_terms", "body_terms")
    ] == empty
    with store.writer() as writer, pytest.raises(LacunaError, match="no document"):
        writer.remove("Ferry")


def test_what_was_skipped_is_kept_and_counted(store: EmbeddedStore) -> None:
    with store.writer() as writer:
        added = writer.add([Skipped("a.html", "not text"), Document("\ud800", ""), FERRY])
    assert (added.documents, added.skipped) == (1, 2)
    assert Skipped("a.html", "not text") in set(store.skipped())
    assert store.info().skipped == 2


def test_a_document_with_very_many_links(store: EmbeddedStore) -> None:
    links = tuple(Link(0, 1, f"Page {number}") for number in range(100_000))
    fill(store, Document("Hub", "x", links=links), Document("Page 99999", ""))
    assert store.document("Hub").links == links
    assert store.graph().out_links("Hub") == ["Page 99999"]
    assert len(store.graph().dangling("Hub")) == 99_999


def test_a_folder_that_is_no_store_is_named(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match=r"is not a store.*lacuna index"):
        Store.open(tmp_path)


def test_a_damaged_database_is_a_plain_error(store: EmbeddedStore) -> None:
    store.close()
    (store.folder / "documents.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(LacunaError, match=r"is damaged.*lacuna corpus repair"):
        Store.open(store.folder)


def test_a_folder_that_may_only_be_read_opens(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, FERRY)
    store.close()
    monkeypatch.setattr("os.access", lambda *_: False)
    with Store.open(store.folder) as reader:
        assert reader.document("Ferry") == FERRY
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.database.execute("DELETE FROM documents")
        names = {path.name for path in store.folder.iterdir()}
        assert not names & {"documents.sqlite-wal", "documents.sqlite-shm"}


def test_threads_leave_no_files_open(store: EmbeddedStore) -> None:
    from concurrent.futures import ThreadPoolExecutor

    fill(store, FERRY)
    files = Path("/proc/self/fd")
    if not files.is_dir():
        pytest.skip("open files cannot be counted here")
    before = len(list(files.iterdir()))
    for _ in range(20):
        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(store.document, ["Ferry"] * 4)) == [FERRY] * 4
    # SQLite puts off closing a file or two; a leak would be of twenty at least.
    assert len(list(files.iterdir())) < before + 10


def test_a_closed_store_leaves_no_files_open(store: EmbeddedStore) -> None:
    import gc

    fill(store, FERRY)
    store.close()
    files = Path("/proc/self/fd")
    if not files.is_dir():
        pytest.skip("open files cannot be counted here")
    before = len(list(files.iterdir()))
    gc.disable()  # what is closed is not to wait for it
    try:
        for _ in range(20):
            with Store.open(store.folder) as opened:
                assert len(opened.graph()) == 1
    finally:
        gc.enable()
    assert len(list(files.iterdir())) < before + 10
