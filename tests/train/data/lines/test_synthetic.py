"""Questions that a language model wrote."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna.types import AnswerKind, Question, SupportingFact
from lacuna_lab.data.lines import NO_OPPOSITE, opposites
from lacuna_lab.data.lines import decode_synthetic as decode
from lacuna_lab.data.texts import TOGETHER, units

TEXT = "Options\nThe flag -q hides names. The flags -a, -b show them."
LINE: dict[str, Any] = {
    "id": "fact-1",
    "kind": "fact",
    "title": "tool.1",
    "section": "Options",
    "passage": TEXT,
    "question": "What hides names?",
    "answers": [{"text": "-q", "start": TEXT.index("-q")}],
    "evidence": "The flag -q hides names.",
    "evidence_start": 8,
    "source": "made up",
    "passage_id": "p1",
}


def line(kind: str, id_: str, **more: Any) -> Question:
    return decode(Fields({**LINE, "kind": kind, "id": id_, "answers": [], **more}), 1)


def test_a_fact_has_its_place_and_its_sentence() -> None:
    question = decode(Fields(LINE), 1)
    assert question.gold is not None
    assert question.gold.answers[0].text == "-q"
    assert question.gold.answers[0].found_at[0].start == 17
    assert question.gold.supporting_facts == (SupportingFact("tool.1", 1),)


def test_a_list_and_nothing() -> None:
    places = [{"text": text, "start": TEXT.index(text)} for text in ("-a", "-b")]
    listed = line("list", "l", answers=places, evidence=TEXT[33:], evidence_start=33).gold
    assert listed is not None
    assert listed.answers[0].texts == ("-a", "-b")
    assert listed.supporting_facts == (SupportingFact("tool.1", 2),)
    none = line("none", "n", evidence=None).gold
    assert none is not None
    assert none.answers[0].kind is AnswerKind.NONE
    assert none.supporting_facts == ()


@pytest.mark.parametrize(
    "change", [{"kind": "odd"}, {"answers": []}, {"answers": [{"text": "-q", "start": 3}]}]
)
def test_broken_lines_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadField):
        decode(Fields({**LINE, **change}), 1)


def test_as_many_no_as_yes_and_pairs_together() -> None:
    yes = [line("yes", "y0"), *(line("yes", f"y{n}", pair=f"p{n}") for n in range(1, 5))]
    no = [line("no", "n1", pair="p1"), line("no", "n2", pair="p2"), line("no", "n9")]
    left_out: Counter[str] = Counter()
    made = list(opposites(yes, no, left_out))
    pairs = [[question.id for question in unit] for unit in units(made) if len(unit) > 1]
    assert pairs == [["y1", "n1"], ["y2", "n2"]]
    assert [question.id for question in made if TOGETHER not in question.extra] == ["y0", "n9"]
    assert left_out == {NO_OPPOSITE: 2}
