"""Passages read alone: what is read of each, in which order, and what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pipeline_parts import TEXTS, FakeReader, FakeRetriever, make_components

from lacuna.answers import AnswerMode
from lacuna.corpus.store import Store
from lacuna.models.calibration import AnswerScorer
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.stages import rank_windows
from lacuna.pipeline.state import QuestionState
from lacuna.retrieve.registry import Hit
from lacuna.retrieve.windows import Window, WindowIndex, with_sentences
from lacuna.types import Document, Section

FIELDS = " ".join(f"Field {number} was mown in June." for number in range(200))


@dataclass
class PlacesFound:
    """Finds these places, whatever is searched for."""

    places: tuple[int, ...]
    title: str = "Fields"

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """The places, each a few words long."""
        return [Hit(self.title, 1.0, place, place + 20) for place in self.places[:k]]


@pytest.fixture
def fields(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "fields") as store:
        with store.writer() as writer:
            writer.add([with_sentences(Document("Fields", FIELDS))])
        yield store


def around(store: Store, *places: int) -> list[Window]:
    hits = PlacesFound(places).search("which field?")
    return WindowIndex(store).around(hits, PipelineConfig().passage_characters)


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


def test_what_a_search_found_is_read_as_such_and_a_given_context_is_not(ferries: Store) -> None:
    reader = FakeReader("1931")
    reader.scorer = AnswerScorer({}, 5.0)
    pipeline = Pipeline(ferries, reader, retriever=FakeRetriever("Marrow"))
    pipeline.ask_many([Query("When?"), Query("When?", title="Marrow")])
    assert reader.modes[0] is AnswerMode.FOUND
    assert AnswerMode.ASK in reader.modes


def test_a_found_passage_is_read_under_its_headings(tmp_path: Path) -> None:
    text = "Sails are white.\nReefing\nIn a gale the crew takes in two reefs."
    start = text.index("Reefing")
    section = Section(("Manual", "Reefing"), start, len(text))
    manual = with_sentences(Document("Manual", text, sections=(section,)))
    reader = FakeReader("two reefs")
    reader.scorer = AnswerScorer({}, 5.0)
    with Store.create(tmp_path / "store") as store:
        with store.writer() as writer:
            writer.add([manual])
        retriever = PlacesFound((start,), "Manual")
        config = PipelineConfig(passage_characters=40)
        pipeline = Pipeline(store, reader, retriever=retriever, config=config)
        result = pipeline.ask("What does the crew take in?")
    assert reader.titles[0] == "Manual › Reefing"
    assert result.answer.text == "two reefs"
    (quote,) = result.quotes
    assert (quote.document, quote.section) == ("Manual", ("Manual", "Reefing"))
