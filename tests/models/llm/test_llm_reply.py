from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.models.llm.chat_server import ReplyProblem
from lacuna.models.llm.llm_prompt import ClaimedQuote, LLMReply, parse_reply
from lacuna.types import AnswerKind

WHOLE = (
    '{"quotes": [{"passage": 2, "text": "in 1931"}], "kind": "number", "answers": ["34 years"],'
    ' "expression": "1931 - 1897", "missing": "", "confidence": 0.8}'
)


@pytest.mark.parametrize(
    "content",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"<think>{{not this}}</think>\n{WHOLE}",
        f"Here you are: {WHOLE} I hope that helps.",
    ],
)
def test_what_stands_around_the_object_is_passed_over(content: str) -> None:
    assert parse_reply(content) == LLMReply(
        AnswerKind.NUMBER,
        ("34 years",),
        (ClaimedQuote(2, "in 1931"),),
        "1931 - 1897",
        confidence=0.8,
    )


def test_small_liberties_are_taken() -> None:
    reply = parse_reply(
        '{"kind": "number", "answer": 34, "quotes": [{"passage": "[1]", "text": "a\\nb"}]}'
    )
    assert reply.answers == ("34",)
    assert reply.quotes == (ClaimedQuote(1, "a b"),)


@pytest.mark.parametrize("confidence", ["-1", "1.5", "NaN", "true", "null", '"high"', "1e999"])
def test_a_confidence_that_is_none(confidence: str) -> None:
    assert parse_reply(f'{{"kind": "yes", "confidence": {confidence}}}').confidence is None


def test_nothing_that_a_terminal_obeys_gets_through() -> None:
    assert parse_reply('{"kind": "none", "missing": "\\u001b[31m\\ud800 her\\nage"}').missing == (
        "[31m her age"
    )


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("I do not know.", "no JSON object"),
        ('{"kind": "span", "answers": ["a"', "no valid JSON"),
        ('{"kind": "maybe"}', "must be one of span, spans"),
        ('{"kind": ["span"]}', "must be one of"),
        ("{}", '"kind" is null'),
        ('{"kind": "yes", "quotes": "in 1931"}', "must be a list"),
        ('{"kind": "yes", "quotes": ["in 1931"]}', "each of"),
        ('{"kind": "yes", "quotes": [{"passage": "two", "text": "a"}]}', "each of"),
        ('{"kind": "yes", "quotes": [{"passage": 1}]}', "each of"),
        ('{"a": ' * 5000, "no valid JSON"),
        ('{"kind": ' + "9" * 5000 + "}", "no valid JSON"),
    ],
)
def test_what_cannot_be_read(content: str, problem: str) -> None:
    with pytest.raises(ReplyProblem, match=problem):
        parse_reply(content)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["span", "none"]) | JSON},
        optional=dict.fromkeys(("answers", "quotes", "expression", "missing", "confidence"), JSON),
    )
)
def test_any_object_is_read_or_refused(reply: dict[str, object]) -> None:
    with suppress(ReplyProblem):
        assert parse_reply(json.dumps(reply)).kind in AnswerKind
