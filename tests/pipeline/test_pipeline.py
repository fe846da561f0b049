"""The pipeline over a small corpus: its steps, its limits, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lacuna.answers import AnswerMode
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.models.model_folder import SHIPPED, WEIGHTS
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result, Stage, Step
from lacuna.retrieve.windows import with_sentences
from lacuna.types import Answer, AnswerKind, Document, Link, Turn

FERRY = (
    "The Marrow is a ferry. She was built by Ada Quill in 1931 and sails between Port Ellery and "
    "Stony Tarn. Her first master was Tom Lorne."
)
QUILL = (
    "Ada Quill was a shipbuilder. She was born in Port Ellery on 3 May 1897. "
    "Her yard built forty boats."
)
ELLERY = "Port Ellery is a town of 2,300 people. Its harbour was opened in 1804."
HOW_OLD = Query("How old was Ada Quill when she built the Marrow?", title="Marrow")
ASKED = (
    HOW_OLD,
    Query("When was the harbour of Port Ellery opened?"),
    Query("Who was the first master of the Marrow?", title="Marrow"),
    Query("What did the passengers eat?", title="Marrow"),
)


def linked(title: str, text: str, *targets: str) -> Document:
    links = (Link(text.index(name), text.index(name) + len(name), name) for name in targets)
    return with_sentences(Document(title, text, links=tuple(links)))


@pytest.fixture(scope="module")
def reader() -> ModelReader:
    if not (SHIPPED / "small" / WEIGHTS).is_file():
        pytest.skip("the small model is not in this checkout")
    return ModelReader.load("small", threads=1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("corpus") / "store"
    with Store.create(folder) as made:
        with made.writer() as writer:
            writer.add(
                [
                    linked("Marrow", FERRY, "Ada Quill", "Port Ellery", "Tom Lorne"),
                    linked("Ada Quill", QUILL, "Port Ellery"),
                    linked("Port Ellery", ELLERY),
                ]
            )
        yield made


def told(result: Result) -> tuple[object, ...]:
    """A result without its times."""
    steps = tuple(replace(step, milliseconds=0.0) for step in result.steps)
    return result.prediction, result.quotes, result.context, steps


def test_many_questions_get_the_answers_of_one_by_one(store: Store, reader: ModelReader) -> None:
    pipeline = Pipeline(store, reader)
    together = pipeline.ask_many(ASKED)
    alone = [Pipeline(store, reader).ask(asked) for asked in ASKED]
    assert [told(result) for result in together] == [told(result) for result in alone]


def test_each_step_is_told_when_it_is_done(store: Store, reader: ModelReader) -> None:
    seen: list[Step] = []
    never_sure = PipelineConfig(sure_enough=2.0, stop_from=2.0, probable_from=2.0)
    result = Pipeline(store, reader, config=never_sure).ask(ASKED[1], on_step=seen.append)
    assert tuple(seen) == result.steps
    stages = [step.stage for step in seen]
    assert stages[:3] == [Stage.START, Stage.SPOT, Stage.FIND]
    assert stages[-2:] == [Stage.READ, Stage.ANSWER]
    assert result.context is not None


def test_all_places_hold_in_the_documents_themselves(store: Store, reader: ModelReader) -> None:
    for result in Pipeline(store, reader).ask_many(ASKED):
        for place in result.answer.found_at:
            text = store.document(place.document).text
            assert 0 <= place.start < place.end <= len(text)
            if result.answer.kind is AnswerKind.SPAN:
                assert text[place.start : place.end] == result.answer.text
        for quote in result.quotes:
            text = store.document(quote.document).text
            assert text[quote.start : quote.end] == quote.text
            assert all(quote.start <= one.start < one.end <= quote.end for one in quote.marks)
        for step in result.steps:
            for one in step.candidates:
                if step.stage in (Stage.START, Stage.FIND):
                    assert store.document(one.title).text[one.start : one.end] == one.text


def test_a_passage_stands_for_the_document_of_its_title(store: Store, reader: ModelReader) -> None:
    config = PipelineConfig(bridge_relevance=-math.inf)  # so that it goes on to search
    own = Document("Port Ellery", "My letter tells of the Marrow.")
    asked = Query("What did the passengers of the Marrow eat in Port Ellery?", own)
    result = Pipeline(store, reader, config=config).ask(asked)
    found = [step for step in result.steps if step.stage is Stage.FIND]
    assert len(found) == 2
    assert not any(one.title == own.title for step in found for one in step.candidates)


def test_what_was_considered_comes_best_first(store: Store, reader: ModelReader) -> None:
    from_two_documents = Query("How many boats did the yard of the builder of the Marrow build?")
    for result in Pipeline(store, reader).ask_many([*ASKED, from_two_documents]):
        for step in result.steps:
            scores = [one.score for one in step.candidates]
            assert scores == sorted(scores, reverse=True)


def test_an_answer_is_put_together_from_two_documents(store: Store, reader: ModelReader) -> None:
    result = Pipeline(store, reader).ask(HOW_OLD)
    assert result.answer.text == "34 years"
    assert {quote.document for quote in result.quotes} == {"Marrow", "Ada Quill"}
    (followed,) = (quote.followed for quote in result.quotes if quote.document == "Ada Quill")
    assert followed is not None
    assert FERRY[followed.start : followed.end] == "Ada Quill"


def test_a_passage_of_ones_own_may_have_the_title_of_a_document(
    store: Store, reader: ModelReader
) -> None:
    own = replace(linked("Ada Quill", FERRY, "Ada Quill", "Port Ellery"), sentences=())
    result = Pipeline(store, reader).ask(Query("Who was the first master of the Marrow?", own))
    assert result.context is not None
    assert result.context.text == FERRY
    for quote in result.quotes:
        if quote.document == "Ada Quill":
            assert FERRY[quote.start : quote.end] == quote.text
    assert "Ada Quill" not in {
        one.title for step in result.steps if step.stage is Stage.SPOT for one in step.candidates
    }


@pytest.mark.parametrize("windows", [1, 2])
def test_no_more_windows_are_ranked_than_allowed(
    store: Store, reader: ModelReader, windows: int
) -> None:
    result = Pipeline(store, reader, config=PipelineConfig(windows=windows)).ask(HOW_OLD)
    ranked = [len(step.candidates) for step in result.steps if step.stage is Stage.FIND]
    assert ranked
    assert max(ranked) <= windows


def test_without_hops_only_the_passage_is_read(store: Store, reader: ModelReader) -> None:
    result = Pipeline(store, reader, config=PipelineConfig(hops=0)).ask(HOW_OLD)
    assert [step.stage for step in result.steps] == [Stage.READ, Stage.ANSWER]
    assert {place.document for place in result.answer.found_at} <= {"Marrow"}


def test_when_time_is_over_it_answers_with_what_it_has(store: Store, reader: ModelReader) -> None:
    result = Pipeline(store, reader, config=PipelineConfig(milliseconds=0.001)).ask(ASKED[1])
    assert [step.stage for step in result.steps] == [Stage.START, Stage.ANSWER]


def test_what_is_missing_is_told(tmp_path: Path, reader: ModelReader) -> None:
    page = linked("Marrow", FERRY, "Ada Quill", "Port Ellery")
    with Store.create(tmp_path / "store") as store:
        with store.writer() as writer:
            writer.add([page, linked("Port Ellery", ELLERY)])
        pipeline = Pipeline(store, reader)
        result = pipeline.ask(Query("Which colour had the sister of Ada Quill?", title="Marrow"))
        assert result.answer == Answer.none()
        (gap,) = result.prediction.gaps
        assert gap.looked_in[0] == "Marrow"
        assert "Port Ellery" in gap.looked_in
        assert gap.dangling == ("Ada Quill",)
        assert "Ada Quill" in gap.missing
        assert gap.nearest is not None
        assert gap.nearest.document == "Port Ellery"
        assert result.quotes == ()


def test_an_empty_corpus_and_strange_words_are_no_error(
    tmp_path: Path, reader: ModelReader
) -> None:
    with Store.create(tmp_path / "store") as store:
        result = Pipeline(store, reader).ask(Query("Who built 船? \x00\ud800 <b>"))
        assert result.answer == Answer.none()
        assert result.context is None
        assert len(result.prediction.gaps) == 1


def test_what_cannot_be_asked_is_said(store: Store, reader: ModelReader) -> None:
    pipeline = Pipeline(store, reader)
    with pytest.raises(LacunaError, match="no question"):
        pipeline.ask(Query("  \n"))
    with pytest.raises(LacunaError, match="Did you mean 'Marrow'"):
        pipeline.ask(Query("Who built it?", title="Marow"))
    with pytest.raises(LacunaError, match="at most"):
        pipeline.ask(Query("why " * 50_000))


def test_a_long_document_is_read_in_part(store: Store, reader: ModelReader, tmp_path: Path) -> None:
    filler = "Nothing of note happened in that year, and the winter was long. " * 400
    text = f"{filler}The lighthouse was painted red by Tom Lorne. {filler}"
    with Store.create(tmp_path / "store") as long:
        with long.writer() as writer:
            writer.add([Document("Chronicle", text)])
        asked = Query("Who painted the lighthouse?", title="Chronicle")
        result = Pipeline(long, reader).ask(asked)
        (read,) = (step for step in result.steps if step.stage is Stage.READ)
        assert read.candidates[0].text == "Tom Lorne"


def test_the_earlier_turn_helps_the_search(store: Store, reader: ModelReader) -> None:
    before = Turn("When was the harbour of Port Ellery opened?", Answer.span("1804"))
    result = Pipeline(store, reader).ask(Query("How many people?", history=(before,)))
    assert result.context is not None
    assert result.context.title == "Port Ellery"


def test_supporting_facts_are_numbers_of_whole_documents(store: Store, reader: ModelReader) -> None:
    pipeline = Pipeline(store, reader, mode=AnswerMode.HOP)
    result = pipeline.ask(Query("In which town was the builder of the Marrow born?"))
    facts = result.prediction.supporting_facts
    assert facts
    for title, number in facts:
        assert 0 <= number < len(store.document(title).sentences)


def test_no_step_but_the_needed_reading_is_begun_after_the_time(
    store: Store, reader: ModelReader
) -> None:
    every = Pipeline(store, reader).ask(HOW_OLD)
    spot = next(step.milliseconds for step in every.steps if step.stage is Stage.SPOT)
    result = Pipeline(store, reader, config=PipelineConfig(milliseconds=spot / 100)).ask(HOW_OLD)
    assert [step.stage for step in result.steps] == [Stage.SPOT, Stage.READ, Stage.ANSWER]
