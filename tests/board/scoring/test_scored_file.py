"""What is told of a file: no measure of a few questions, and no number to its last digit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lacuna_collect.board.scored_file import ScoredFile, score_file

SMALLEST = 10
WITHOUT = 3
"""Questions without an answer: fewer than may be told of."""


@pytest.fixture
def scored(tmp_path: Path) -> ScoredFile:
    """Twenty questions of ten dialogs, of which three have no answer; guesses are padded."""
    dialogs: list[Any] = []
    guesses = []
    for dialog in range(10):
        context = f"It was built in {1870 + dialog} by Tilda Roke of Sell. CANNOTANSWER"
        asked = [(f"d{dialog}_q#{turn}", 2 * dialog + turn) for turn in range(2)]
        qas = []
        for name, number in asked:
            text = "CANNOTANSWER" if number < WITHOUT else "Tilda Roke"
            answer = {"text": text, "answer_start": context.index(text)}
            others = [{"text": "Sell", "answer_start": context.index("Sell")}] * (number == 19)
            qas.append({"id": name, "question": "Who?", "answers": [answer, *others],
                        "orig_answer": answer, "yesno": "x", "followup": "n"})  # fmt: skip
        paragraph = {"id": f"d{dialog}", "context": context, "qas": qas}
        dialogs.append({"title": "T", "section_title": "S", "background": "B",
                        "paragraphs": [paragraph]})  # fmt: skip
        guesses.append({
            "qid": [name for name, _ in asked], "yesno": ["x", "x"], "followup": ["n", "n"],
            "best_span_str": ["Tilda Roke" + " word" * 2**number for _, number in asked],
        })  # fmt: skip
    gold, sent = tmp_path / "gold.json", tmp_path / "sent"
    gold.write_text(json.dumps({"data": dialogs}))
    sent.write_text("".join(json.dumps(line) + "\n" for line in guesses))
    return score_file("quac", gold, sent, SMALLEST)[0]


def test_a_measure_of_a_few_questions_is_not_told(scored: ScoredFile) -> None:
    assert scored.questions == 20
    assert scored.scores["unanswerable_acc"] is None
    assert scored.intervals["unanswerable_acc"] is None
    assert {part.means["unanswerable_acc"] for part in scored.parts} == {None}
    assert None not in [scored.scores[name] for name in ("f1", "HEQ", "DHEQ", "yes/no")]


def test_a_few_questions_do_not_follow_from_two_measures(scored: ScoredFile) -> None:
    """On the last question people do not agree: it counts for one of both."""
    assert [part.counted["unfiltered_f1"] for part in scored.parts] == [20]
    assert [part.counted["f1"] for part in scored.parts] == [19]
    assert scored.scores["unfiltered_f1"] is None
    assert scored.intervals["unfiltered_f1"] is None


def test_what_is_told_is_rounded(scored: ScoredFile) -> None:
    told = [*scored.scores.values(), *(part.means["f1"] for part in scored.parts)]
    told += [bound for bounds in scored.intervals.values() for bound in bounds or ()]
    assert len([number for number in told if number]) > 5
    assert [number for number in told if number is not None and number != round(number, 2)] == []
