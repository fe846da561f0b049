"""The same documents give the same results, whole, wherever and however they were indexed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import lacuna
from lacuna.corpus import writer
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.models.registry import open_reader
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result

DEMO = Path(lacuna.__file__).parent / "assets" / "demo" / "articles"
QUESTIONS = (
    "How high is Carrow Fell?",
    "How many beds did the Amory Hospital have when it opened?",
    "Who designed the Lady Amory?",
    "Was Edda Tresk older than Isa Lorne?",
    "What does nobody here write about?",
)


def index(folder: Path, *sources: Path) -> Store:
    store = Store.create(folder)
    with store.writer() as open_writer:
        for source in sources:
            refresh_source(open_writer, source)
    return store


def whole(result: Result) -> str:
    """All of a result but the time that it took, in its order."""
    steps = tuple(replace(step, milliseconds=0.0) for step in result.steps)
    told: dict[str, Any] = asdict(replace(result, steps=steps))
    return json.dumps(told, indent=1, sort_keys=False, default=str)


@pytest.fixture(scope="module")
def reader() -> Any:
    return open_reader("small")


@pytest.fixture(scope="module")
def answers(reader: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    with index(tmp_path_factory.mktemp("first") / "corpus", DEMO) as store:
        yield [whole(Pipeline(store, reader).ask(Query(text))) for text in QUESTIONS]


def test_a_corpus_elsewhere_gives_equal_results(
    answers: list[str], reader: Any, tmp_path: Path
) -> None:
    with index(tmp_path / "elsewhere" / "copy", DEMO) as store:
        again = [whole(Pipeline(store, reader).ask(Query(text))) for text in QUESTIONS]
        assert again == answers


def test_so_does_one_that_came_about_in_many_steps(
    answers: list[str], reader: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "BATCH_ITEMS", 7)
    more = tmp_path / "more"
    more.mkdir()
    (more / "Carrow Fell, again.md").write_text("# Carrow Fell, again\n\nIt is 9 metres high.\n")
    with index(tmp_path / "corpus", DEMO, more) as store:
        (more / "Carrow Fell, again.md").write_text("# Something else\n\nIt is gone.\n")
        with store.writer() as open_writer:
            refresh_source(open_writer, more)
            open_writer.remove("Something else")
        again = [whole(Pipeline(store, reader).ask(Query(text))) for text in QUESTIONS]
        assert again == answers
