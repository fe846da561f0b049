"""Passages read alone: what is read of each, in which order, and what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pipeline_parts import TEXTS, FakeReader, FakeRetriever, make_components

from lacuna.corpus.store import Store
from lacuna.models.calibration import AnswerScorer
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.query import Query
from lacuna.pipeline.stages import rank_windows, windows_around
from lacuna.pipeline.state import QuestionState
from lacuna.retrieve.registry import Hit
from lacuna.retrieve.windows import Window, with_sentences
from lacuna.types import Document

FIELDS = " ".join(f"Field {number} was mown in June." for number in range(200))


@dataclass
class PlacesFound:
    """Finds these places, whatever is searched for."""

    places: tuple[int, ...]

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """The places, each a few words long."""
        return [Hit("Fields", 1.0, place, place + 20) for place in self.places[:k]]


@pytest.fixture
def fields(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "fields") as store:
        with store.writer() as writer:
            writer.add([with_sentences(Document("Fields", FIELDS))])
        yield store


def around(store: Store, *places: int) -> list[Window]:
    components = replace(make_components(store, FakeReader()), retriever=PlacesFound(places))
    return windows_around(components, "which field?", 10)


def test_each_passage_is_read_with_what_stands_around_it(fields: Store) -> None:
    far = FIELDS.index("Field 150")
    for window, place in zip(around(fields, 3000, far), (3000, far), strict=True):
        assert window.start <= place < place + 20 <= window.end
        size = window.end - window.start  # of whole sentences
        assert size == pytest.approx(PipelineConfig().passage_characters, abs=60)


def test_a_passage_that_was_all_but_read_is_not_read_again(fields: Store) -> None:
    assert len(around(fields, 3000, 3010, 3100)) == 1
    assert len(around(fields, 3000, 3700)) == 2


def ranked(store: Store, reader: FakeReader, *titles: str) -> QuestionState:
    components = make_components(store, reader, FakeRetriever(*titles))
    state = QuestionState(Query("When?"))
    windows = [Window(title, 0, len(TEXTS[title])) for title in titles]
    rank_windows(components, [state], [windows])
    return state


def test_every_answer_is_kept_with_the_rank_of_its_passage(ferries: Store) -> None:
    reader = FakeReader("1931", "1897")
    reader.relevant = {"Ada Quill": 7.0}
    reader.scorer = AnswerScorer({}, 0.0)
    state = ranked(ferries, reader, "Marrow", "Ada Quill", "Port Ellery")
    answers = [reading.scored.prediction.answer for reading in state.readings]
    assert [answer and answer.text for answer in answers] == ["1931", "1897", None]
    assert [reading.rank for reading in state.readings] == [0, 1, 2]
    assert all(len(reading.selection.texts) == 1 for reading in state.readings)
    assert state.best_windows()[0][0].title == "Ada Quill"
    assert state.best_relevance == 7.0


def test_without_a_scorer_the_passages_are_ranked_alone(ferries: Store) -> None:
    state = ranked(ferries, FakeReader("1931"), "Marrow", "Ada Quill")
    assert len(state.ranked) == 2
    assert state.readings == []
