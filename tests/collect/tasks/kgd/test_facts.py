"""Round 1: which facts are put before people, and which of them are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from lacuna.errors import LacunaError
from lacuna.types import Answer, Choice, Gold, Question
from lacuna_collect.tasks.kgd import (
    FACTS,
    FAMILY,
    FactSearch,
    KGDFacts,
    candidate_facts,
    fact_items,
    fact_trial,
    kept_pairs,
    leaves_gap,
)
from lacuna_collect.tasks.task import FinishedWork, TaskSettings, defaults

TASK = KGDFacts()
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)
YES, VAGUE, NO = (
    {"relevant": True, "unique": True},
    {"relevant": True, "unique": False},
    {"relevant": False, "unique": None},
)


def line(id_: str, stem: str, *choices: str, key: str = "A", **more: Any) -> str:
    given = [{"label": label, "text": text} for label, text in zip("ABCD", choices, strict=False)]
    return json.dumps(
        {"id": id_, "question": {"stem": stem, "choices": given}, "answerKey": key, **more}
    )


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Any]:
    train = tmp_path / "train.jsonl"
    long = "a very long choice with many words"
    lines = (
        line("1", "What rusts in rain?", "a nail", "an oar", fact1="iron rusts in water"),
        line("2", "What burns?", long, "stone", fact1="wood burns"),
        line("3", "What sinks?", "lead", "cork", fact1="lead sinks in water"),
    )
    train.write_text("\n".join(lines), "utf-8")
    facts = tmp_path / "facts.txt"
    facts.write_text('"rain is water"\n"a nail rusts"\n"a nail or an oar may rust"\n', "utf-8")
    return {**defaults(FACTS), "train_file": str(train), "facts_file": str(facts)}


def question(*choices: str, right: str = "A") -> Question:
    offered = tuple(Choice(*pair) for pair in zip("ABCD", choices, strict=False))
    return Question("q", "What rusts?", choices=offered, gold=Gold((Answer.choice(right),)))


def test_a_fact_that_gives_the_answer_away_leaves_no_gap() -> None:
    asked = question("an iron nail", "a wooden oar")
    assert leaves_gap("metals rust in water", asked)
    assert not leaves_gap("irons rust in water", asked), "stems count, not words"
    assert leaves_gap("nails and oars may rust", asked), "it shares words with several choices"
    assert leaves_gap("an oar floats", asked), "it speaks of a wrong choice alone"


def test_the_best_facts_come_first_and_none_twice() -> None:
    book = FactSearch(["Iron rusts.", "the iron rusts", "iron nails rust in the rain", "bees fly"])
    assert book.search("What iron rusts?", 9) == ["the iron rusts", "iron nails rust in the rain"]
    assert book.search("of the", 9) == []
    assert FactSearch([]).search("iron", 3) == []


def test_the_core_fact_comes_first() -> None:
    asked = Question(
        "q",
        "What rusts?",
        choices=(Choice("A", "nail"), Choice("B", "oar")),
        fact="iron is a metal",
        gold=Gold((Answer.choice("A"),)),
    )
    found = candidate_facts(asked, FactSearch(["water makes things rust", "Iron is a metal"]), 5)
    assert found == ["iron is a metal", "water makes things rust"]


def test_items_are_short_questions_with_facts_that_leave_a_gap(files: dict[str, Any]) -> None:
    (item,) = fact_items(files)
    assert (item.split, item.copies, item.payload["id"]) == ("train", 3, "1")
    assert item.payload["facts"] == [
        "iron rusts in water",
        "rain is water",
        "a nail or an oar may rust",
    ]
    everything = list(fact_items({**files, "only_short": "no", "people": 5}))
    assert [(one.payload["id"], one.copies) for one in everything] == [("1", 5), ("2", 5)]
    assert "answer" not in TASK.shown(item.payload, TASK.settings), "nobody is told the answer"


def test_without_a_book_the_core_facts_are_one(files: dict[str, Any]) -> None:
    (item,) = fact_items({**files, "facts_file": ""})
    assert item.payload["facts"] == ["iron rusts in water"]


def test_what_is_missing_is_said(files: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="train_file="):
        list(fact_items({**files, "train_file": ""}))
    with pytest.raises(LacunaError, match="There is no file"):
        list(fact_items({**files, "train_file": "none.jsonl"}))
    lone = tmp_path / "lone.jsonl"
    lone.write_text(line("1", "Why?", "long " * 9), "utf-8")
    with pytest.raises(LacunaError, match="no question that can be annotated"):
        list(fact_items({**files, "train_file": str(lone)}))


def test_settings_are_checked() -> None:
    def told(**more: Any) -> list[str]:
        settings = TaskSettings(pay_cents=1, more=more)
        return [problem.field for problem in TASK.check_settings(settings)]

    assert told() == told(enough=3) == []
    assert told(enough=4) == ["more.enough"]
    assert told(only_short="perhaps", people=True) == ["more.only_short", "more.people"]


def test_every_fact_needs_a_verdict() -> None:
    payload = fact_trial()[1].payload

    def told(work: Any) -> list[str]:
        return [problem.field for problem in TASK.check(payload, work, TASK.settings)]

    assert told({"judgements": [YES, VAGUE, NO]}) == []
    assert told({}) == [f"judgements.{n}.relevant" for n in range(3)]
    assert told({"judgements": [{"relevant": True}, {"relevant": 1}, NO]}) == [
        "judgements.0.unique",
        "judgements.1.relevant",
    ]
    assert told({"judgements": [NO] * 4}) == told([]) == ["judgements"]


@given(ANY_JSON, st.lists(ANY_JSON, max_size=4))
def test_anything_can_be_checked(work: Any, verdicts: list[Any]) -> None:
    item = fact_trial()[0]
    for one in (work, {"judgements": verdicts}):
        TASK.check(item.payload, one, TASK.settings)
        assert 0 <= TASK.score(item.payload, one, item.gold or {}) <= 1


def test_the_test_is_scored_by_the_share_of_facts() -> None:
    item = fact_trial()[1]
    assert item.gold is not None
    assert TASK.score(item.payload, item.gold, item.gold) == 1
    assert TASK.score(item.payload, {"judgements": [YES, YES, NO]}, item.gold) == pytest.approx(
        2 / 3
    )


def judged(person: int, *verdicts: dict[str, Any]) -> FinishedWork:
    payload = {"id": "1", "question": "?", "choices": [], "answer": "A", "facts": ["x", "y"]}
    return FinishedWork("k", payload, "train", {"judgements": list(verdicts)}, person, person, 1.0)


def test_two_of_three_keep_a_fact() -> None:
    works = [judged(1, YES, YES), judged(2, YES, VAGUE), judged(3, NO, NO)]
    assert [pair["fact"] for pair in kept_pairs(works, 2)] == ["x"]
    assert kept_pairs(works[:1], 2) == []
    (pair,) = TASK.settle(works, TASK.settings)["kgd-gaps"]["pairs"]
    assert (pair["fact"], pair["split"], pair["answer"]) == ("x", "train", "A")
    agreement = FAMILY.agreement({"kgd-facts": works})["kgd-facts"]
    assert agreement["agreement"] == pytest.approx(1 / 6), "one of six pairs of verdicts is alike"
