"""FIND: windows of the documents to look into."""

from __future__ import annotations

from pipeline_parts import FakeReader, make_components

from lacuna.corpus.store import Store
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Stage
from lacuna.pipeline.stages import find
from lacuna.pipeline.state import QuestionState


def found(store: Store, reader: FakeReader, config: PipelineConfig, *titles: str) -> QuestionState:
    state = QuestionState(Query("Who built it?"), targets=dict.fromkeys(titles, 0.0))
    find(make_components(store, reader, config=config), [state])
    state.finish_step(Stage.FIND, 1.0)
    return state


def test_what_is_selected_to_be_read_is_what_the_step_marks(ferries: Store) -> None:
    reader = FakeReader()
    reader.relevant = {"Ada Quill": 3.0, "Port Ellery": 1.0, "Marrow": 2.0}
    state = found(ferries, reader, PipelineConfig(most_read=2), *reader.relevant)
    assert state.selection is not None
    assert [window.title for window in state.selection.windows] == ["Ada Quill", "Marrow"]
    (step,) = state.steps
    assert [(one.title, one.chosen) for one in step.candidates] == [
        ("Ada Quill", True),
        ("Marrow", True),
        ("Port Ellery", False),
    ]
    assert state.targets == {}


def test_the_link_that_led_there_counts(ferries: Store) -> None:
    reader, config = FakeReader(), PipelineConfig(link_pull=0.5, lead_bonus=4.0)
    state = QuestionState(Query("Who built it?"), targets={"Ada Quill": 6.0, "Marrow": 0.0})
    find(make_components(ferries, reader, config=config), [state])
    scores = {window.title: score for window, score in state.ranked.items()}
    assert scores == {"Ada Quill": 7.0, "Marrow": 4.0}
    assert state.best_relevance == 0.0


def test_what_does_not_fit_is_not_selected(ferries: Store) -> None:
    reader = FakeReader()
    reader.largest = 80
    state = found(ferries, reader, PipelineConfig(), "Ada Quill", "Marrow")
    assert state.selection is not None
    assert len(state.selection.windows) == 1


def test_nowhere_to_look(ferries: Store) -> None:
    state = found(ferries, FakeReader(), PipelineConfig())
    assert state.steps[0].message == "There was nowhere to look further."
