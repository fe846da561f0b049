"""READ: the context and the selected windows, together."""

from __future__ import annotations

from dataclasses import replace

from pipeline_parts import TEXTS, FakeReader, document, make_components

from lacuna.corpus.store import Store
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Stage
from lacuna.pipeline.stages import OWN_CONTEXT, focus_on, read
from lacuna.pipeline.state import Components, QuestionState
from lacuna.retrieve.windows import Window
from lacuna.types import Document

QUILL = Window("Ada Quill", 0, len(TEXTS["Ada Quill"]))


def asked_of(components: Components, context: Document, *, is_own: bool) -> QuestionState:
    state = QuestionState(Query("When?"), context=context, is_own=is_own)
    state.focus = focus_on(components, "When?", context)
    state.ranked = {QUILL: 1.0}
    return state


def test_places_are_told_in_the_documents(ferries: Store) -> None:
    reader = FakeReader("1897")
    components = make_components(ferries, reader)
    state = asked_of(components, document("Marrow"), is_own=False)
    read(components, [state])
    state.finish_step(Stage.READ, 1.0)
    (question,) = reader.read_questions
    assert [text.title for text in question.documents] == ["Marrow", "Ada Quill"]
    (candidate,) = state.steps[0].candidates
    assert candidate.title == "Ada Quill"
    assert TEXTS["Ada Quill"][candidate.start : candidate.end] == "1897"
    assert state.steps[0].message == "The context and 1 window could be read together."


def test_a_context_of_ones_own_has_a_name_that_no_document_has(ferries: Store) -> None:
    reader = FakeReader("letter")
    components = make_components(ferries, reader)
    own = replace(document("Ada Quill"), text="My letter of 1897.", sentences=(), links=())
    state = asked_of(components, own, is_own=True)
    read(components, [state])
    (question,) = reader.read_questions
    assert question.context is not None
    assert question.context.title == OWN_CONTEXT
    assert state.reading is not None
    (place,) = state.reading.in_documents(components.mode).evidence
    assert (place.document, own.text[place.start : place.end]) == ("Ada Quill", "letter")


def test_an_earlier_reading_stays_unless_the_new_one_is_surer(ferries: Store) -> None:
    reader = FakeReader("1897")
    components = make_components(ferries, reader)
    state = asked_of(components, document("Marrow"), is_own=False)
    read(components, [state])
    first = state.reading
    reader.margin += components.config.surer_later
    read(components, [state])
    assert state.reading is first
    reader.margin += 0.1
    read(components, [state])
    assert state.reading is not first
