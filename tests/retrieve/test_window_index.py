"""The cheap ranking by words, and documents that change under it."""

from __future__ import annotations

from pathlib import Path

from lacuna.corpus.store import Store
from lacuna.retrieve.windows import WindowIndex, word_scores
from lacuna.types import Document, Section, Span


def store_of(folder: Path, *documents: Document) -> Store:
    store = Store.create(folder)
    with store.writer() as writer:
        writer.add(documents)
    return store


def test_the_window_with_the_rarer_words_wins(tmp_path: Path) -> None:
    filler = "The ferry of the island sails in the morning and comes back at night. " * 8
    text = f"{filler}\n\nIts captain was Ada Quill, who came from Port Ellery.\n\n{filler}"
    shelf = WindowIndex(store_of(tmp_path / "s", Document("Ferry", text)))
    shelved = shelf.document("Ferry")
    (scores,) = word_scores(shelf.terms("Who was the captain of the ferry?"), [shelved])
    best = shelved.windows[scores.index(max(scores))]
    assert "Ada Quill" in text[best.start : best.end]


def test_headings_count_for_what_stands_under_them(tmp_path: Path) -> None:
    page = Document(
        "Ferry",
        "It sails.\n\nIt costs four.",
        paragraphs=(Span(0, 9), Span(11, 25)),
        sections=(Section(("Ferry",), 0, 25), Section(("Ferry", "Fares"), 11, 25)),
    )
    shelf = WindowIndex(store_of(tmp_path / "s", page))
    (scores,) = word_scores(shelf.terms("What was the fare?"), [shelf.document("Ferry")])
    assert scores[0] == 0 < scores[1]


def test_a_document_that_was_replaced_is_read_anew(tmp_path: Path) -> None:
    store = store_of(tmp_path / "s", Document("Ferry", "It sails."))
    shelf = WindowIndex(store)
    assert shelf.document("Ferry").document.text == "It sails."
    with store.writer() as writer:
        writer.add([Document("Ferry", "It sank.")])
    assert shelf.document("Ferry").document.text == "It sank."
