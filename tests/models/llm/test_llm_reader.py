"""The reader as a whole, against a server on this machine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from llm_stand_in import LLMStandIn

from lacuna.errors import LacunaError
from lacuna.models.llm.llm_reader import HOPELESS, open_llm_reader
from lacuna.models.registry import open_reader
from lacuna.types import AnswerKind, Question

RIGHT: dict[str, Any] = {
    "quotes": [
        {"passage": 1, "text": "Ada Quill was born in Ellery in 1897."},
        {"passage": 2, "text": "Quill built the Marrow in 1931."},
    ],
    "kind": "number",
    "answers": ["34 years"],
    "expression": "1931 - 1897",
    "missing": "",
    "confidence": 0.9,
}
WRONG_QUOTE = RIGHT | {"quotes": [{"passage": 1, "text": "Ada Quill was born in 1890."}]}


def test_an_answer(llm: LLMStandIn, question: Question) -> None:
    llm.says(RIGHT)
    done: list[int] = []
    (prediction,) = open_llm_reader("qwen2.5").read([question], progress=done.append)
    assert prediction.answer is not None
    assert (prediction.answer.text, prediction.answer.expression) == ("34 years", "1931 - 1897")
    assert [place.document for place in prediction.evidence] == ["Ada Quill", "Marrow"]
    assert prediction.confidence == 0.9
    assert done == [1]


def test_broken_json_is_asked_for_again_with_the_reason(
    llm: LLMStandIn, question: Question
) -> None:
    llm.says('{"kind": "number", ', RIGHT)
    (prediction,) = open_llm_reader("m").read([question])
    assert prediction.answer is not None
    assert prediction.answer.text == "34 years"
    again = llm.asked[1]["messages"]
    assert again[-2] == {"role": "assistant", "content": '{"kind": "number", '}
    assert again[-1]["content"].startswith("The reply is no valid JSON")


def test_broken_json_twice_is_an_error_where_nothing_else_was_asked(
    llm: LLMStandIn, question: Question
) -> None:
    llm.says("The answer is 34.")
    with pytest.raises(LacunaError, match=r"twice\. The reply has no JSON object.*Try a model"):
        open_llm_reader("m").read([question])
    assert len(llm.asked) == 2


def test_one_bad_reply_does_not_lose_the_others(llm: LLMStandIn, question: Question) -> None:
    llm.says(RIGHT, "Hm.", "Hm.", RIGHT, WRONG_QUOTE, RIGHT)
    reader = open_llm_reader("m")
    predictions = reader.read([replace(question, id=f"q{n}") for n in range(5)])
    kinds = [prediction.answer.kind for prediction in predictions if prediction.answer]
    number, none = AnswerKind.NUMBER, AnswerKind.NONE
    assert kinds == [number, none, number, none, number]
    assert "did not reply in the form asked for" in predictions[1].gaps[0].missing
    assert "does not stand in passage 1" in predictions[3].gaps[0].missing


def test_a_bad_reply_to_a_single_question_is_borne_once_the_model_has_replied(
    llm: LLMStandIn, question: Question
) -> None:
    llm.says(RIGHT, "Hm.")
    reader = open_llm_reader("m")
    reader.read([question])
    (prediction,) = reader.read([question])
    assert prediction.answer is not None
    assert prediction.answer.kind is AnswerKind.NONE


def test_one_failure_of_the_server_is_borne_two_in_a_row_are_not(
    llm: LLMStandIn, question: Question
) -> None:
    llm.says(RIGHT)
    for _ in range(2):  # a busy server is asked once more
        llm.refuses(500, "out of memory", "0")
    llm.says(RIGHT)
    llm.refuses(500, "out of memory", "0")
    reader = open_llm_reader("m")
    predictions = reader.read([question] * 3)
    assert "out of memory" in predictions[1].gaps[0].missing
    asked = len(llm.asked)
    with pytest.raises(LacunaError, match="out of memory"):
        reader.read([question] * 20)
    assert len(llm.asked) == asked + 4


def test_a_server_that_is_away_stops_at_once(llm: LLMStandIn, question: Question) -> None:
    llm.says(RIGHT)
    llm.refuses(401, "expired")
    done: list[int] = []
    with pytest.raises(LacunaError, match="expired"):
        open_llm_reader("m").read([question] * 20, progress=done.append)
    assert done == [1]
    assert len(llm.asked) == 2


def test_a_model_that_never_replies_in_the_form_is_given_up(
    llm: LLMStandIn, question: Question
) -> None:
    llm.says("Hm.")
    with pytest.raises(LacunaError, match="did not reply in the form"):
        open_llm_reader("m").read([question] * 100)
    assert len(llm.asked) == 2 * HOPELESS


def test_several_questions_at_once(llm: LLMStandIn, question: Question) -> None:
    llm.says(RIGHT)
    questions = [replace(question, id=f"q{n}") for n in range(12)]
    predictions = open_llm_reader("m", threads=4).read(questions)
    assert [prediction.answer is not None for prediction in predictions] == [True] * 12
    llm.acts.clear()
    llm.refuses(403, "no more")
    with pytest.raises(LacunaError, match="no more"):
        open_llm_reader("m", threads=4).read([question] * 100)
    assert len(llm.asked) < 40


def test_no_questions(llm: LLMStandIn) -> None:
    assert open_llm_reader("m").read([]) == []


def test_the_reader_by_its_name(llm: LLMStandIn, question: Question) -> None:
    llm.says(RIGHT)
    (prediction,) = open_reader("llm:qwen2.5").read([question])
    assert prediction.answer is not None
    assert prediction.answer.text == "34 years"
    assert llm.asked[0]["model"] == "qwen2.5"
    with pytest.raises(LacunaError, match="Did you mean llm"):
        open_reader("lm:qwen2.5")
