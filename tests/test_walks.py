"""How many files a piece of work goes through: what somebody has to read to follow it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from collect_site import CollectSite
from stand_in import Site
from walking import walked

import lacuna
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store

QUESTIONS = (
    "Who was the first governor of the bank that paid for the Skelder Light Railway?",
    "Had the Bank of Selmory existed for more than forty years when the Skelder Light Railway was "
    "opened?",
    "What is the name of the girl in The Salt Road?",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question(question: str) -> None:
    corpus = lacuna.open_corpus()
    with walked() as walk:
        corpus.ask(question)
    assert len(walk.files) <= 40
    assert len(walk.changes) <= 172


def test_a_file_that_is_indexed(tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Bridge\n\n[Ann](ann.md) built it in 1901.\n", encoding="utf-8")
    store = Store.create(tmp_path / "corpus")
    with walked() as walk, store.writer() as writer:
        refresh_source(writer, note)
    assert len(walk.files) <= 30


def test_a_question_over_the_interface(tmp_path: Path) -> None:
    site = Site(tmp_path)
    with walked() as walk:
        got = site.client.post("/api/v1/ask", json={"question": "Who built it?"})
    assert got.status_code == 200
    assert len(walk.files) <= 35


def test_a_set_that_is_handed_in(collecting: CollectSite) -> None:
    worker = collecting.person("worker", "Wanda")
    worker.pass_test()
    assignment = worker.next()
    with walked() as walk:
        worker.submit(assignment)
    assert len(walk.files) <= 15


@pytest.fixture
def collecting(tmp_path: Path) -> Iterator[CollectSite]:
    site = CollectSite(tmp_path)
    yield site
    site.close()
