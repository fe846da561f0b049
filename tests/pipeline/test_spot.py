"""SPOT: which links to follow."""

from __future__ import annotations

from pipeline_parts import FakeReader, FakeRetriever, document, make_components

from lacuna.corpus.store import Store
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Stage
from lacuna.pipeline.stages import focus_on, spot
from lacuna.pipeline.state import QuestionState
from lacuna.retrieve.windows import Window
from lacuna.types import Answer, Evidence, Prediction


def opened(store: Store, reader: FakeReader, *found: str) -> QuestionState:
    """A question of the ferry's document, looked at for its links."""
    components = make_components(store, reader, FakeRetriever(*found))
    state = QuestionState(Query("Who was it?", title="Marrow"), context=document("Marrow"), hop=1)
    assert state.context is not None
    state.focus = focus_on(components, state.search_text, state.context)
    spot(components, [state])
    state.finish_step(Stage.SPOT, 1.0)
    return state


def test_links_lead_to_documents_and_dangling_ones_are_named(ferries: Store) -> None:
    state = opened(ferries, FakeReader())
    assert list(state.targets) == ["Ada Quill"]
    assert state.context is not None
    start, end = state.followed["Ada Quill"]
    assert state.context.text[start:end] == "Ada Quill"
    assert [(one.title, one.dangling) for one in state.links] == [
        ("Ada Quill", False),
        ("Osk", True),
    ]
    assert state.steps[0].message == "What is missing may stand in Ada Quill."


def test_a_context_that_surely_answers_alone_is_enough(ferries: Store) -> None:
    reader = FakeReader()
    place = Evidence("Marrow", 0, 10)
    answer = Prediction(Answer.span("The Marrow", place), (place,))
    reader.alone = ScoredAnswer(answer, 0.0, margin=9.0)
    state = opened(ferries, reader)
    assert state.answered_alone
    assert state.reading is not None
    assert state.reading.scored.prediction is answer
    reader.alone = ScoredAnswer(answer, 0.0, margin=7.0)
    assert not opened(ferries, reader).answered_alone


def test_from_what_was_found_it_also_searches_on(ferries: Store) -> None:
    retriever = FakeRetriever("Port Ellery")
    components = make_components(ferries, FakeReader(), retriever)
    state = QuestionState(Query("Where?"), context=document("Marrow"), hop=2)
    state.ranked = {Window("Marrow", 0, 22): 1.0}
    spot(components, [state])
    assert retriever.queries == ["Where? Marrow"]
    assert set(state.targets) == {"Port Ellery"}  # the window shows no link
    assert state.expanded == {"Marrow"}


def test_a_link_is_told_with_the_document_that_it_stands_in(ferries: Store) -> None:
    components = make_components(ferries, FakeReader(), FakeRetriever())
    state = QuestionState(Query("Where?"), context=document("Port Ellery"), hop=2)
    ferry = document("Marrow")
    state.ranked = {Window("Marrow", 0, len(ferry.text)): 1.0}
    spot(components, [state])
    state.finish_step(Stage.SPOT, 1.0)
    link = next(one for one in state.steps[0].candidates if one.title == "Ada Quill")
    assert link.source == "Marrow"
    assert ferry.text[link.start : link.end] == "Ada Quill"
    assert state.followed == {}, "it is no link of the context"
