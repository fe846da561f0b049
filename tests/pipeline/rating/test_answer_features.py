"""What speaks for an answer and against it, as numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from pipeline_parts import TEXTS, FakeReader, document, make_components

from lacuna.corpus.passages import Excerpt
from lacuna.corpus.store import Store
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.query import Query
from lacuna.pipeline.rating import MOST, ReadAnswer, features_of
from lacuna.pipeline.state import QuestionState, Reading, Selection
from lacuna.types import Answer, Evidence, Prediction, Question, SupportingFact

QUILL = TEXTS["Ada Quill"]
SECOND = QUILL.index("She")
BORN = Answer.span("1897", Evidence("Ada Quill", QUILL.index("1897"), QUILL.index("1897") + 4))


def read_answer(answer: Answer, scored: ScoredAnswer | None = None, rank: int = 0) -> ReadAnswer:
    """What was read in the second sentence of a document, which is all that the reader got."""
    excerpt = Excerpt.of(document("Ada Quill"), [(SECOND, len(QUILL))])
    given = replace(
        scored or ScoredAnswer(Prediction(), -1.0, 2.0, relevance=3.0),
        prediction=Prediction(answer, answer.found_at),
    )
    question = Question("", "?", documents=(excerpt.document,))
    selection = Selection(question, {"Ada Quill": excerpt}, ())
    return ReadAnswer(answer, given, Reading(selection, given, rank))


def features(store: Store, question: str, *read: ReadAnswer) -> list[dict[str, float]]:
    state = QuestionState(Query(question))
    return features_of(make_components(store, FakeReader()), state, read)


def feature(store: Store, name: str, answer: Answer, question: str = "When was it?") -> float:
    (found,) = features(store, question, read_answer(answer))
    return found[name]


def test_what_the_reader_says_is_passed_on(ferries: Store) -> None:
    first, third = features(ferries, "When?", read_answer(BORN), read_answer(BORN, rank=2))
    assert (first["margin"], first["total"], first["relevance"]) == (2.0, -1.0, 3.0)
    assert [first["rank"], third["rank"]] == pytest.approx([0.0, math.log(3)])
    assert {**first, "rank": third["rank"]} == third


@pytest.mark.parametrize(("said", "counted"), [(math.inf, MOST), (-math.inf, -MOST), (30.0, MOST)])
def test_nothing_is_surer_than_can_be_told(ferries: Store, said: float, counted: float) -> None:
    scored = ScoredAnswer(Prediction(), said, said, relevance=said)
    (found,) = features(ferries, "When?", read_answer(BORN, scored))
    assert {found[name] for name in ("margin", "total", "relevance")} == {counted}
    assert all(map(math.isfinite, found.values()))


def test_the_sentence_of_the_answer_supports_it_and_no_other(ferries: Store) -> None:
    # The reader numbers the sentences of what it got: its first is the second of the document.
    sentences = ((SupportingFact("Ada Quill", 0), 4.0),)
    scored = ScoredAnswer(Prediction(), 0.0, 0.0, sentences)
    elsewhere = Answer.span("Ada Quill", Evidence("Ada Quill", 0, 9))
    answers = (BORN, elsewhere, Answer.yes())
    read = [read_answer(answer, scored) for answer in answers]
    supports = [found["support"] for found in features(ferries, "When?", *read)]
    assert supports == [4.0, -MOST, 4.0]  # yes stands nowhere: the best sentence counts
    assert feature(ferries, "support", BORN) == -MOST


def test_words_of_the_question_are_no_answer_to_it(ferries: Store) -> None:
    ferry = Answer.span("old ferry")
    assert feature(ferries, "repeated", ferry, "Which old ferry sank?") == 1.0
    assert feature(ferries, "repeated", ferry, "Which ferry sank?") == 0.5
    assert feature(ferries, "repeated", ferry, "What sank?") == 0.0
    assert feature(ferries, "repeated", Answer.span("?!"), "What sank?") == 0.0


def test_an_answer_fits_the_kind_of_question(ferries: Store) -> None:
    assert feature(ferries, "fits", BORN, "When was she born?") > 0.9
    assert feature(ferries, "fits", BORN, "Who built the ferry?") < 0.2


def test_what_must_be_calculated_is_not_quoted(ferries: Store) -> None:
    lookups = "How many more districts does Brannet have than Osk?"
    nine, five = Answer.number(9), Answer.number(5, expression="9 − 4")
    assert feature(ferries, "only_quoted", nine, lookups) == 1.0
    assert feature(ferries, "only_quoted", five, lookups) == 0.0
    assert feature(ferries, "only_quoted", nine, "How many districts are there?") == 0.0


def test_yes_and_no_by_calculation_are_told_from_those_that_were_read(ferries: Store) -> None:
    calculated = replace(Answer.no(), expression="9 > 4: no")
    assert feature(ferries, "calculated", calculated) == 1.0
    assert feature(ferries, "calculated", Answer.no()) == 0.0
    assert feature(ferries, "calculated", Answer.number(5, expression="9 − 4")) == 0.0


@pytest.mark.parametrize(
    ("answer", "kinds"),
    [
        (Answer.yes(), {"yes", "yes_no"}),
        (Answer.no(), {"yes_no"}),
        (Answer.number(9), {"number"}),
        (Answer.spans(("a", "b")), {"spans"}),
        (BORN, set()),
    ],
)
def test_each_kind_can_have_a_weight_of_its_own(
    ferries: Store, answer: Answer, kinds: set[str]
) -> None:
    (found,) = features(ferries, "When?", read_answer(answer))
    assert {name for name in ("yes", "yes_no", "number", "spans") if found[name]} == kinds
    assert found["yes_no_total"] == (found["total"] if "yes_no" in kinds else 0.0)
