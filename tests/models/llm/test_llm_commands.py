"""The reader on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from llm_stand_in import LLMStandIn

Lacuna = Callable[..., Any]
ASK = ("ask", "How high is Carrow Fell?", "--model", "llm:qwen2.5")


def test_a_question_over_the_demo_corpus(llm: LLMStandIn, lacuna: Lacuna) -> None:
    llm.says(
        {
            "quotes": [{"passage": 1, "text": "684 metres"}],
            "kind": "number",
            "answers": ["684 metres"],
            "confidence": 0.8,
        }
    )
    result = json.loads(lacuna(*ASK, "--json").out)
    assert result["answer"]["text"] == "684 metres"
    assert result["confidence"] == pytest.approx(0.8)
    assert result["quotes"][0]["document"]
    assert "Carrow Fell" in llm.asked[0]["messages"][1]["content"]


def test_a_refused_answer_is_told(llm: LLMStandIn, lacuna: Lacuna) -> None:
    llm.says(
        {
            "quotes": [{"passage": 1, "text": "It is 700 metres high."}],
            "kind": "span",
            "answers": ["700 metres"],
        }
    )
    ran = lacuna(*ASK)
    assert ran.code == 0
    assert "answer: none" in ran.out
    assert "“It is 700 metres high.” does not stand in passage 1" in " ".join(ran.out.split())


@pytest.mark.parametrize("arguments", [ASK, ("evaluate", "iirc", "--system", "llm:qwen2.5")])
def test_what_is_wrong_with_the_server_is_told_with_exit_code_2(
    llm: LLMStandIn, lacuna: Lacuna, arguments: tuple[str, ...]
) -> None:
    llm.refuses(401, "no key")
    ran = lacuna(*arguments)
    assert ran.code == 2
    assert "Set LACUNA_LLM_KEY" in " ".join(ran.err.split())


def test_no_server_is_named(lacuna: Lacuna, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LACUNA_LLM_URL", raising=False)
    ran = lacuna(*ASK)
    assert ran.code == 2
    assert "set LACUNA_LLM_URL" in " ".join(ran.err.split())


def test_one_bad_reply_among_many_questions(
    llm: LLMStandIn, lacuna: Lacuna, examples: Path, tmp_path: Path
) -> None:
    llm.says({"kind": "none", "missing": "it"}, "Hm.", "Hm.", {"kind": "none"})
    predictions = tmp_path / "predictions.json"
    ran = lacuna(
        *("predict", "iirc", examples / "iirc.json", "--system", "llm:m", "--out", predictions)
    )
    assert ran.code == 0
    assert set(json.loads(predictions.read_text()).values()) == {"none"}
