"""Round 2: what a described gap needs, which are kept, and the file that they become."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from lacuna.corpus.open import open_store
from lacuna.datasets import get_dataset
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.types import Question
from lacuna_collect.tasks.kgd import BY_LABEL, FAMILY, STATEMENTS, KGDGaps, gap_trial
from lacuna_collect.tasks.task import FinishedWork, Json, TaskSettings
from lacuna_lab.gapqa.recipe import kgd_relations

TASK = KGDGaps()
FACT = "a magnet pulls iron and steel"
PAIR: Json = {
    "id": "7-1",
    "question": "What would a magnet pull?",
    "choices": [{"label": "A", "text": "a nail"}, {"label": "B", "text": "an oar"}],
    "answer": "A",
    "fact": FACT,
    "split": "train",
}
IRON, STEEL, BOTH, PULLS = [15, 19], [24, 29], [15, 29], [9, 14]


def gap(span: list[int] | None, *relations: str, **more: Any) -> Json:
    return {"span": span, "relations": list(relations), **more}


def told(work: Any) -> list[tuple[str, str]]:
    return [(one.field, one.message) for one in TASK.check(PAIR, work, TASK.settings)]


def test_the_relations_are_the_papers_and_training_knows_their_names() -> None:
    assert len(STATEMENTS) == 17
    assert sorted(kgd_relations(BY_LABEL)) == list(range(17))
    assert [BY_LABEL[one["name"]] for one in STATEMENTS] == list(DIRECTIONS)


@pytest.mark.parametrize(
    ("work", "field"),
    [
        (gap(IRON, "madeof-1"), None),
        (gap(BOTH, "madeof-1", "isa"), None),
        (gap(None, "madeof-1", term="metal"), None),
        (gap(IRON, other="is the opposite of"), None),
        (gap(None, "madeof-1"), "span"),
        (gap(IRON, "madeof-1", term="metal"), "span"),
        (gap([15, 18], "madeof-1"), "span"),
        (gap([14, 19], "madeof-1"), "span"),
        (gap([0, 99], "madeof-1"), "span"),
        (gap(IRON), "relations"),
        (gap(IRON, "likes"), "relations"),
        (gap(IRON, "isa", "isa"), "relations"),
        (gap(IRON, "isa", other="and more"), "other"),
        (gap(IRON, other="x" * 201), "other"),
        (gap(None, "isa", term="\n"), "term"),
        ({"spam": 1}, ""),
    ],
)
def test_what_a_gap_needs(work: Json, field: str | None) -> None:
    assert [name for name, _ in told(work)] == ([] if field is None else [field])


@given(
    st.dictionaries(
        st.sampled_from(["span", "term", "relations", "other"]),
        st.none() | st.integers() | st.text() | st.lists(st.integers() | st.text(), max_size=3),
    )
)
def test_anything_can_be_checked(work: Any) -> None:
    item = gap_trial()[0]
    TASK.check(item.payload, work, TASK.settings)
    assert 0 <= TASK.score(item.payload, work, item.gold or {}) <= 1


def test_half_is_for_the_words_and_half_for_the_relations() -> None:
    gold = gap(IRON, "madeof-1")
    assert TASK.score(PAIR, gold, gold) == 1
    assert TASK.score(PAIR, gap(BOTH, "madeof-1"), gold) == 1
    assert TASK.score(PAIR, gap(IRON, "causes"), gold) == 0.5
    assert TASK.score(PAIR, gap(PULLS, "madeof-1", "isa"), gold) == pytest.approx(1 / 3)


def test_pairs_are_drawn_one_after_the_other() -> None:
    settings = TaskSettings(pay_cents=1, more={"pairs": [PAIR, {**PAIR, "fact": "iron rusts"}]})
    taken: set[str] = set()
    drawn = []
    with open_store() as corpus:
        while item := TASK.draw_item(corpus, settings, Random(1), frozenset(taken)):
            taken.add(item.key)
            drawn.append((item.payload["fact"], item.copies, item.split))
        assert TASK.draw_item(corpus, TASK.settings, Random(1), frozenset()) is None
    assert drawn == [(FACT, 3, "train"), ("iron rusts", 3, "train")]


def works(*given: Json, fact: str = FACT) -> list[FinishedWork]:
    payload = {**PAIR, "fact": fact}
    return [
        FinishedWork(fact, payload, "train", work, number, number, 1.0)
        for number, work in enumerate(given, 1)
    ]


def exported(out: Path, finished: list[FinishedWork], **more: Any) -> tuple[Json, list[Question]]:
    settings = {"kgd-gaps": TaskSettings(pay_cents=1, more=more)}
    with open_store() as corpus:
        report = FAMILY.export({"kgd-gaps": finished}, corpus, out, settings)
    if not (out / "train.jsonl").exists():
        return report, []
    with get_dataset("openbookqa").open(out / "train.jsonl") as reader:
        return report, list(reader.questions())


def test_two_who_agree_make_a_gap_in_kgds_format(tmp_path: Path, lacuna: Any) -> None:
    finished = works(gap(IRON, "madeof-1", "isa"), gap(BOTH, "madeof-1"), gap(PULLS, "causes"))
    finished += works(gap(IRON, "isa"), gap(PULLS, "isa"), gap(STEEL, "isa"), fact=FACT + " too")
    report, (question,) = exported(tmp_path, finished)
    assert report["written"] == {"train.jsonl": {"questions": 1, "pairs": 1}}
    assert report["left_out"]["reasons"] == {"no two people agree on words and a relation": 1}
    assert question.gold is not None
    assert question.gold.evidence is not None
    spans = [FACT[piece.start : piece.end] for piece in question.gold.evidence]
    assert spans == ["iron", "iron and steel"]
    assert question.gold.relations == ("madeof-1", "isa", "madeof-1")
    assert (question.id, question.gold.answers[0].label) == (f"7-1#{FACT}", "A")
    assert lacuna("data", "check", "openbookqa", tmp_path / "train.jsonl").code == 0


def test_the_papers_own_words_can_be_the_rule(tmp_path: Path) -> None:
    """At least two who found words and a relation, whichever these are."""
    finished = works(gap(IRON, "isa"), gap(PULLS, "causes"), gap(None, "isa", term="metal"))
    assert exported(tmp_path / "same", finished)[1] == []
    (tmp_path / "found").mkdir()
    (question,) = exported(tmp_path / "found", finished, agree="found")[1]
    assert question.gold is not None
    assert question.gold.relations == ("isa", "causes")


def test_too_few_make_none(tmp_path: Path) -> None:
    own = gap(IRON, other="is like")
    report, questions = exported(tmp_path, works(own, gap(None, "isa", term="metal"), own))
    assert questions == []
    found = "too few found words of the fact and a relation of the list"
    assert report["left_out"]["reasons"] == {found: 1}
    report, _ = exported(tmp_path, works(gap(IRON, "isa")))
    assert report["left_out"]["reasons"] == {"not described by enough people yet": 1}


def test_agreement_is_of_words_and_of_relations() -> None:
    given = works(gap(IRON, "isa"), gap(BOTH, "causes"), gap(STEEL, "isa"))
    found = FAMILY.agreement({"kgd-gaps": given})["kgd-gaps"]
    assert found["words_in_common"] == pytest.approx(2 / 3)
    assert found["a_relation_in_common"] == pytest.approx(1 / 3)
