"""The surest of the readings, with settings that make them comparable."""

from __future__ import annotations

from dataclasses import fields, replace

from lacuna.pipeline.dialog.conversation import DialogReading, DialogWeights, Way, surest
from lacuna.pipeline.result import Alternative, Quote, Result
from lacuna.types import Answer, Prediction

EVEN = DialogWeights(*[1.0] * len(fields(DialogWeights)))


def reading(
    way: Way, answer: Answer, confidence: float, document: str = "", asked: str = "Who?"
) -> DialogReading:
    quotes = (Quote(document, (), "", 0, 0),) if document else ()
    prediction = Prediction(answer, confidence=confidence)
    return DialogReading(way, Result(asked, None, prediction, quotes, ()))


def test_the_surest_decides_and_a_none_is_a_reading_too() -> None:
    anew = reading(Way.ANEW, Answer.span("Ada"), 0.6)
    near = reading(Way.NEAR, Answer.span("Bram"), 0.5)
    none = reading(Way.AS_ASKED, Answer.none(), 0.7)
    assert surest([near, anew], weights=EVEN) is anew
    assert surest([near, anew, none], weights=EVEN) is none
    assert surest([near, anew, none], weights=DialogWeights(none_as_asked=0.5)) is anew


def test_of_equal_ones_the_first_decides() -> None:
    first, second = (reading(Way.ANEW, Answer.span(name), 0.6) for name in ("Ada", "Bram"))
    assert surest([first, second], weights=EVEN) is first


def test_each_way_has_its_weight() -> None:
    anew = reading(Way.ANEW, Answer.span("Ada"), 0.5)
    near = reading(Way.NEAR, Answer.span("Bram"), 0.6)
    assert surest([anew, near], weights=EVEN) is near
    assert surest([anew, near], weights=DialogWeights(near=0.8)) is anew


def test_what_needs_no_dialog_may_have_nothing_to_do_with_it() -> None:
    none = reading(Way.AS_ASKED, Answer.none(), 0.6)
    needed = reading(Way.NEAR, Answer.span("Bram"), 0.5)
    whole = reading(Way.NEAR_THOUGH_WHOLE, Answer.span("Bram"), 0.5)
    weights = DialogWeights(none_as_asked=0.7, near=0.9, near_though_whole=0.7)
    assert surest([none, needed], weights=weights) is needed
    assert surest([none, whole], weights=weights) is none


def test_an_answer_from_a_document_of_the_dialog_is_favoured() -> None:
    asked = reading(Way.AS_ASKED, Answer.span("Ada"), 0.6, "Elsewhere")
    anew = reading(Way.ANEW, Answer.span("Bram"), 0.55, "Marrow")
    weights = DialogWeights(as_asked=1.0, at_home=1.2)
    assert surest([asked, anew], weights=weights) is asked
    assert surest([asked, anew], home=["Marrow"], weights=weights) is anew


def test_yes_or_no_is_what_such_a_question_asks_for() -> None:
    quote = reading(Way.NEAR, Answer.span("It was old."), 0.8, asked="Was it old?")
    plain = reading(Way.ANEW, Answer.yes(), 0.6, asked="Was the Marrow old?")
    assert surest([quote, plain]) is plain
    assert surest([quote, plain], weights=EVEN) is quote


def test_a_reader_that_does_not_say_how_sure_it_is() -> None:
    silent = DialogReading(Way.NEAR, Result("Who?", None, Prediction(Answer.span("Ada")), (), ()))
    assert surest([silent]) is silent


def test_a_none_weighs_what_the_answers_leave() -> None:
    near = reading(Way.NEAR, Answer.span("Bram"), 0.5)
    none = reading(Way.AS_ASKED, Answer.none(), 0.7)
    others = tuple(Alternative(Answer.span(name), 0.3) for name in ("Ada", "Ellen"))
    assert surest([near, none], weights=EVEN) is none
    doubted = replace(none, result=replace(none.result, alternatives=others))
    assert surest([near, doubted], weights=EVEN) is near
