"""Questions that a change of the corpus falls into."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.pipeline.open_corpus import SteadyPipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.types import Answer, Document, Prediction


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "corpus") as made:
        yield made


class Asker:
    """Answers with how often it was asked, after what is to happen the first time."""

    reader: Any = None
    config: Any = None

    def __init__(self, store: Store, meanwhile: Callable[[], None]) -> None:
        self.store, self._meanwhile, self.asked = store, meanwhile, 0

    def ask(self, query: Query, *, on_step: object = None) -> Result:
        self.asked += 1
        if self.asked == 1:
            self._meanwhile()
        prediction = Prediction(Answer.number(self.asked))
        return Result(query.question, None, prediction, (), ())


def change(store: Store) -> None:
    with store.writer() as writer:
        writer.add([Document("Kiwi", "A bird.")])


def fail() -> None:
    raise LacunaError("It is gone.")


def test_a_question_is_asked_again_where_the_corpus_changed(store: Store) -> None:
    asker = Asker(store, lambda: change(store))
    assert SteadyPipeline(asker).ask(Query("Who?")).answer.text == "2"

    def change_and_fail() -> None:
        change(store)
        fail()

    assert SteadyPipeline(Asker(store, change_and_fail)).ask(Query("Who?")).answer.text == "2"


def test_it_is_asked_once_where_nothing_changed(store: Store) -> None:
    asker = Asker(store, lambda: None)
    assert SteadyPipeline(asker).ask(Query("Who?")).answer.text == "1"
    with pytest.raises(LacunaError, match="It is gone"):
        SteadyPipeline(Asker(store, fail)).ask(Query("Who?"))
