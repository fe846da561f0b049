"""Two answers combined: differences, times between, the larger or the earlier of two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipeline_parts import FakeReader, FakeRetriever

from lacuna.corpus.store import Store
from lacuna.models.calibration import AnswerScorer
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.lookups import (
    BridgeLookup,
    Chain,
    across,
    bridge_lookup,
    chains,
    combined,
    two_lookups,
)
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Alternative, Degree, Quote, Result, Stage, Step
from lacuna.pipeline.shaping import typed
from lacuna.types import Answer, AnswerKind, Evidence, Prediction, Question

MORE = "How many more districts does Brannet have than Osk?"
DAYS = "How many days passed between the flood and the fire?"
LONGER = "Which is longer, the Lune or the Tamble?"
OLDER = "Who is older, Ada Quill or Ellen Voss?"


def found(text: str, document: str, question: str = "How many?") -> Answer:
    """What a lookup is answered with, in its type, as the pipeline gives it."""
    return typed(Answer.span(text, Evidence(document, 0, len(text))), question, {})


def result(answer: Answer, sure: float = 0.9, *others: Alternative) -> Result:
    quotes = tuple(
        Quote(place.document, (), answer.text, place.start, place.end) for place in answer.found_at
    )
    prediction = Prediction(answer, answer.found_at, confidence=sure)
    return Result("?", None, prediction, quotes, (), alternatives=others)


def together(question: str, first: Result | str, second: Result | str, asked: Result | None = None
) -> Result:  # fmt: skip
    lookups = two_lookups(question)
    assert lookups is not None
    results = [
        result(found(each, f"document {number}", part)) if isinstance(each, str) else each
        for number, (each, part) in enumerate(
            zip((first, second), (lookups.first, lookups.second), strict=True)
        )
    ]
    none = Result(question, None, Prediction(Answer.none(), confidence=0.8), (), ())
    return combined(asked or none, lookups, *results, least=0.5)


@pytest.mark.parametrize(("first", "second"), [("nine", "4"), ("4", "nine")])
def test_a_difference_is_never_negative(first: str, second: str) -> None:
    answer = together(MORE, first, second).answer
    assert (answer.kind, answer.value, answer.text) == (AnswerKind.NUMBER, 5.0, "5")
    assert answer.expression == "9 − 4"
    assert [place.document for place in answer.found_at] == ["document 0", "document 1"]


def test_a_difference_has_the_unit_of_its_numbers_and_is_readable() -> None:
    question = "How many metres higher is Mount Osk than Mount Tern?"
    assert together(question, "3,012 metres", "1,700 metres").answer.text == "1,312 metres"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (DAYS, "61 days"),
        (DAYS.replace("days", "months"), "2 months"),
        (DAYS.replace("days", "years"), "0 years"),
    ],
)
def test_dates_are_apart_by_what_is_asked_for(question: str, text: str) -> None:
    both = together(question, "1 May 1871", "1 July 1871")
    assert both.answer.text == text
    assert both.answer.expression == "1 July 1871 − 1 May 1871"
    assert together(question, "1 July 1871", "1 May 1871").answer.text == text


@pytest.mark.parametrize(
    ("question", "first", "second", "chosen", "why"),
    [
        (LONGER, "98 km", "120 km", "the Tamble", "98 km < 120 km"),
        (LONGER, "120 km", "98 km", "the Lune", "120 km > 98 km"),
        (LONGER, "900 m", "2 km", "the Tamble", "900 m < 2 km"),
        (LONGER.replace("longer", "shorter"), "98 km", "120 km", "the Lune", "98 km < 120 km"),
        (OLDER, "3 May 1897", "2 May 1897", "Ellen Voss", "3 May 1897 > 2 May 1897"),
        (OLDER.replace("older", "younger"), "1897", "1861", "Ada Quill", "1897 > 1861"),
    ],
)
def test_one_of_two_is_chosen(
    question: str, first: str, second: str, chosen: str, why: str
) -> None:
    answer = together(question, first, second).answer
    assert (answer.kind, answer.text, answer.expression) == (AnswerKind.SPAN, chosen, why)


def test_equal_ones_are_no_choice() -> None:
    assert together(LONGER, "98 km", "98 km").answer.kind is AnswerKind.NONE


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (MORE, "nine", "a few"),
        (MORE, "9", "4 or 5"),
        (DAYS, "1 May 1871", "4 days"),
        (OLDER, "3 May 1897", "36"),
        (LONGER, "98 km", "3 hours"),
        ("How much more does the ferry cost than the bus?", "$9", "€4"),
        ("How many metres higher is Mount Osk than Mount Tern?", "3 km", "900 metres"),
    ],
)
def test_without_two_numbers_or_two_dates_all_stays(question: str, first: str, second: str) -> None:
    assert together(question, first, second).answer.kind is AnswerKind.NONE


def test_a_lookup_that_was_not_answered_may_have_a_number_among_its_alternatives() -> None:
    words = Alternative(found("many", "document 1"), 0.4)
    number = Alternative(found("4", "document 1"), 0.6)
    both = together(MORE, "nine", result(Answer.none(), 0.0, words, number))
    assert both.answer.text == "5"
    assert both.confidence == pytest.approx(0.9 * 0.6)
    assert together(MORE, "nine", result(Answer.none(), 0.7)).answer.kind is AnswerKind.NONE


def test_what_is_likelier_wrong_than_right_is_not_given() -> None:
    doubtful = result(found("4", "document 1"), 0.55)
    both = together(MORE, "nine", doubtful)
    assert (both.answer.kind, both.confidence) == (AnswerKind.NONE, 0.8)
    (other,) = both.alternatives
    assert other.answer.text == "5"
    assert other.confidence == pytest.approx(0.495)
    assert not both.steps[-1].candidates[0].chosen
    assert [quote.document for quote in other.quotes] == ["document 0", "document 1"]


def test_one_place_cannot_answer_both() -> None:
    same = result(found("nine", "document 0"))
    assert together(MORE, same, same).answer.kind is AnswerKind.NONE


def test_what_was_answered_more_surely_stays() -> None:
    seven = Alternative(found("7", "document 2"), 0.1)
    sure, doubtful = (result(found("5", "document 2"), chance, seven) for chance in (0.82, 0.6))
    stays, goes = (together(MORE, "nine", "3", asked) for asked in (sure, doubtful))
    assert (stays.answer.text, goes.answer.text) == ("5", "6")
    assert goes.confidence == pytest.approx(0.81)
    assert [other.answer.text for other in stays.alternatives] == ["6", "7"]
    assert [other.answer.text for other in goes.alternatives] == ["5", "7"]


def test_both_sources_are_quoted_and_the_trace_tells_what_was_asked() -> None:
    both = together(MORE, "nine", "4")
    assert [quote.document for quote in both.quotes] == ["document 0", "document 1"]
    last = both.steps[-1]
    assert last.stage is Stage.ANSWER
    assert "How many districts does Osk have?" in last.message
    assert not both.prediction.gaps


class TellingReader(FakeReader):
    """Answers each question with the words that it was told for it, and no other question."""

    def __init__(self, told: dict[str, str]) -> None:
        super().__init__()
        self.told = told
        self.scorer = AnswerScorer({"margin": 1.0}, 0.0)

    def _score(self, question: Question) -> ScoredAnswer:
        self.answers = tuple(self.told[text] for text in [question.text] if text in self.told)
        return super()._score(question)


def test_the_pipeline_asks_both_questions_by_itself(ferries: Store) -> None:
    asked = "How many years passed between the building of the Marrow and the birth of Ada Quill?"
    told = {
        "When was the building of the Marrow?": "1931",
        "When was the birth of Ada Quill?": "1897",
    }
    retriever = FakeRetriever("Marrow", "Ada Quill")
    pipeline = Pipeline(ferries, TellingReader(told), retriever=retriever)
    steps: list[Step] = []
    alone = pipeline.ask(asked, on_step=steps.append)
    for answered in (alone, *pipeline.ask_many([Query(asked)])):
        assert answered.answer.text == "34 years"
        assert answered.degree is Degree.ANSWER
        assert {quote.document for quote in answered.quotes} == {"Marrow", "Ada Quill"}
    assert sorted(steps, key=id) == sorted(alone.steps, key=id)  # every step is told of
    of_a_page = pipeline.ask(Query(asked, title="Marrow"))
    assert of_a_page.answer.kind is AnswerKind.NONE  # what is asked of one text is read in it


def test_when_time_is_over_nothing_more_is_looked_up(ferries: Store) -> None:
    told = dict.fromkeys(("When was Ada Quill born?", "When was Tom Lorne born?"), "1897")
    config = PipelineConfig(milliseconds=0.001)
    retriever = FakeRetriever("Marrow", "Ada Quill")
    pipeline = Pipeline(ferries, TellingReader(told), retriever=retriever, config=config)
    result = pipeline.ask(OLDER.replace("Ellen Voss", "Tom Lorne"))
    assert len([step for step in result.steps if step.stage is Stage.ANSWER]) == 1


@pytest.mark.parametrize(
    ("question", "which", "about"),
    [
        (
            "What is the capital of the country that shares a 83 km border with Osk?",
            "What is the country that shares a 83 km border with Osk?",
            "What is the capital of {}?",
        ),
        (
            "Where was the composer of The Salt Road born?",
            "Who is the composer of The Salt Road?",
            "Where was {} born?",
        ),
        (
            "When does the crew that votes on repairs hold its meeting?",
            "What is the crew that votes on repairs?",
            "When does {} hold its meeting?",
        ),
        (
            "What are the people of the town where she was born called?",
            "What is the town where she was born?",
            "What are the people of {} called?",
        ),
        (
            "Skelder is an islet of a county; what is the capital of that county?",
            "Skelder is an islet of which county?",
            "What is the capital of {}?",
        ),
        (
            "The river that Osk shares with Tern: how long is its lower course?",
            "What is the river that Osk shares with Tern?",
            "How long is {}'s lower course?",
        ),
    ],
)
def test_what_is_described_is_found_first(question: str, which: str, about: str) -> None:
    assert bridge_lookup(question) == BridgeLookup(which, about)


@pytest.mark.parametrize(
    "question",
    [
        "What is the country that borders Osk?",
        "Who was the first master of the Marrow?",
        "Does the host that stores my data learn my passphrase?",
        "Which is longer, the Lune or the Tamble?",
        "Osk or Tern: how long is the coast of the one that has the longer coast?",
    ],
)
def test_a_question_that_names_all_or_asks_for_nothing_else_is_asked_as_it_is(
    question: str,
) -> None:
    assert bridge_lookup(question) is None


PIECES = (
    *("the ", "of ", "that ", "who ", "a ", "another ", "town", "; ", "{", "}", "{} ", "its "),
    *("where ", "what is ", "does ", "born", "composer ", "'s ", "? "),
)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_name_fits_into_what_is_asked_about_it(question: str) -> None:
    lookup = bridge_lookup(question)
    if lookup is not None:
        assert lookup.about.format("Osk {0}").count("Osk {0}") == 1
        assert lookup.which.endswith("?")


def test_braces_of_a_question_are_no_places_for_a_name() -> None:
    lookup = bridge_lookup("What is the {0} of the town that has {a} {}?")
    assert lookup is not None
    assert lookup.about.format("Osk") == "What is the (0) of Osk?"


BRIDGE = BridgeLookup("What is the country that borders Osk?", "What is its capital?")
CAPITAL = "What is the capital of the country that borders Osk?"
BRANNET = Alternative(found("Brannet", "document 1"), 0.64)
TERN = Alternative(found("Tern", "document 1"), 0.25)


def reached(asked: Result, *about: Result) -> Result:
    named = (BRANNET, TERN)
    found = [Chain(bridge, result) for bridge, result in zip(named, about, strict=True)]
    return across(asked, BRIDGE, named, found, least=0.5)


def test_the_surest_chain_answers_and_quotes_both_of_its_steps() -> None:
    none = Result(CAPITAL, None, Prediction(Answer.none(), confidence=0.8), (), ())
    capital, other = result(found("Selm", "document 2"), 0.81), result(found("Kel", "document 3"))
    both = reached(none, capital, other)
    assert both.answer.text == "Selm"
    assert both.confidence == pytest.approx(0.8 * 0.9)
    assert BRIDGE.which in both.steps[-1].message
    doubtful = result(Answer.none(), 0.9, Alternative(found("Selm", "document 2"), 0.09))
    assert reached(none, doubtful, doubtful).answer.kind is AnswerKind.NONE


def test_the_thing_itself_is_no_answer_about_it() -> None:
    stopped = result(found("the Brannet", "document 1"), 0.95)
    capital = result(found("Selm", "document 2"), 0.81)
    none = result(Answer.none(), 0.9)
    assert reached(stopped, capital, none).answer.text == "Selm"
    assert reached(stopped, stopped, none).answer.text == "the Brannet"  # nothing better was found
    sure = result(found("Kelmouth", "document 4"), 0.95)
    stays = reached(sure, capital, none)
    assert stays.answer.text == "Kelmouth"
    assert [other.answer.text for other in stays.alternatives] == ["Selm"]


def test_what_could_not_be_surer_is_not_asked_about() -> None:
    asked: list[str] = []

    def ask(sure: float, *named: Alternative) -> list[Chain]:
        asked.clear()

        def about(question: str) -> Result:
            asked.append(question)
            return result(found("Selm", "document 2"), sure)

        lookup = BridgeLookup("Which?", "What is the capital of {}?")
        return list(chains(lookup, named, about, least=0.45))

    assert [chain.bridge for chain in ask(0.2, BRANNET, TERN)] == [BRANNET, TERN]
    assert [chain.bridge for chain in ask(0.9, BRANNET, TERN)] == [BRANNET]
    assert asked == ["What is the capital of Brannet?"]
    assert ask(0.9, Alternative(found("Osk", "document 1"), 0.1)) == []
    assert asked == []


def test_the_pipeline_goes_over_the_bridge_by_itself(ferries: Store) -> None:
    told = {
        "Who is the captain of the Marrow?": "Ada Quill",
        "When was Ada Quill born?": "1897",
    }
    retriever = FakeRetriever("Marrow", "Ada Quill")
    pipeline = Pipeline(ferries, TellingReader(told), retriever=retriever)
    answered = pipeline.ask("When was the captain of the Marrow born?")
    assert answered.answer.text == "1897"
    assert any("Ada Quill" in step.message for step in answered.steps)
