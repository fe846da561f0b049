"""START: where to begin."""

from __future__ import annotations

from pipeline_parts import FakeReader, FakeRetriever, make_components

from lacuna.corpus.store import Store
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Stage
from lacuna.pipeline.stages import start
from lacuna.pipeline.state import QuestionState


def test_the_document_of_the_best_window_is_the_context(ferries: Store) -> None:
    reader = FakeReader()
    reader.relevant = {"Port Ellery": 9.0}
    components = make_components(ferries, reader, FakeRetriever("Marrow", "Port Ellery"))
    state = QuestionState(Query("who was it?"))
    start(components, [state])
    state.finish_step(Stage.START, 1.0)
    assert state.context is not None
    assert state.context.title == "Port Ellery"
    (step,) = state.steps
    assert [(one.title, one.chosen) for one in step.candidates] == [
        ("Port Ellery", True),
        ("Marrow", False),
    ]
    assert "the best of 2 windows" in step.message


def test_what_the_question_names_is_considered_though_the_search_misses_it(ferries: Store) -> None:
    components = make_components(ferries, FakeReader(), FakeRetriever())
    state = QuestionState(Query("when was ada quill born?"))
    start(components, [state])
    assert [window.title for window in state.ranked] == ["Ada Quill"]


def test_no_more_windows_than_the_config_allows(ferries: Store) -> None:
    found = FakeRetriever("Marrow", "Ada Quill", "Port Ellery")
    components = make_components(ferries, FakeReader(), found, PipelineConfig(windows=2))
    state = QuestionState(Query("who?"))
    start(components, [state])
    assert len(state.ranked) == 2


def test_nothing_found_is_said(ferries: Store) -> None:
    state = QuestionState(Query("who?"))
    start(make_components(ferries, FakeReader(), FakeRetriever()), [state])
    state.finish_step(Stage.START, 1.0)
    assert state.context is None
    assert "no text" in state.steps[0].message
