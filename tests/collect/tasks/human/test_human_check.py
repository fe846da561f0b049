"""A human check: the sample, what an answer needs, and what people reach."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from lacuna import demo
from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna_collect.tasks.human import (
    FAMILY,
    OPTIONS,
    SHEETS,
    HumanCheck,
    human_row,
    likeness,
    sampled_items,
    trial_item,
)
from lacuna_collect.tasks.task import FinishedWork, Json, NewItem, TaskSettings, defaults

TASK = HumanCheck()
EXAMPLES = {
    "hotpotqa": "hotpotqa.json",
    "squad": "squad.json",
    "drop": "drop.json",
    "openbookqa": "openbookqa.jsonl",
}


@pytest.fixture
def empty(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "empty")


def settings(dataset: str, file: Path, **more: Any) -> Json:
    return {**defaults(OPTIONS), "dataset": dataset, "questions_file": str(file), **more}


def sample(dataset: str, file: Path, corpus: Store, **more: Any) -> list[NewItem]:
    return list(sampled_items(settings(dataset, file, **more), corpus))


@pytest.mark.parametrize("dataset", EXAMPLES)
def test_every_dataset_can_be_checked(dataset: str, examples: Path, empty: Store) -> None:
    items = sample(dataset, examples / EXAMPLES[dataset], empty)
    with get_dataset(dataset).open(examples / EXAMPLES[dataset]) as reader:
        known = [one.id for one in reader.questions() if one.gold and one.gold.answers]
    assert [item.payload["id"] for item in items] == known
    assert {item.copies for item in items} == {SHEETS[dataset].people}
    for item in items:
        told = json.dumps(TASK.shown(item.payload, TASK.settings))
        assert '"gold"' not in told
        assert list(TASK.check(item.payload, {}, TASK.settings)) != []


def test_the_papers_numbers_are_the_defaults() -> None:
    assert (SHEETS["hotpotqa"].questions, SHEETS["hotpotqa"].people) == (1000, 3)
    assert SHEETS["iirc"].questions == 200


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    with open_store() as corpus:
        more = {"questions": 5}
        first = [one.key for one in sample("iirc", demo.QUESTIONS, corpus, **more)]
        assert len(set(first)) == 5
        assert [one.key for one in sample("iirc", demo.QUESTIONS, corpus, **more)] == first
        assert [one.key for one in sample("iirc", demo.QUESTIONS, corpus, **more, seed=2)] != first


def test_linked_articles_are_read_with_iircs_questions() -> None:
    with open_store() as corpus:
        (item,) = sample("iirc", demo.QUESTIONS, corpus, questions=1)
    titles = [item.payload["texts"][str(n)]["title"] for n in range(len(item.payload["texts"]))]
    assert len(titles) > 1
    assert len(titles) == len(set(titles))


def test_what_is_missing_is_said(examples: Path, empty: Store, tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="questions_file="):
        list(sampled_items({**defaults(OPTIONS)}, empty))
    with pytest.raises(LacunaError, match="--corpus DIR"):
        sample("iirc", demo.QUESTIONS, empty)
    hidden = tmp_path / "test.json"
    raw = json.loads((examples / "hotpotqa.json").read_text("utf-8"))
    keys = ("answer", "supporting_facts")
    stripped = [{key: one[key] for key in one if key not in keys} for one in raw]
    hidden.write_text(json.dumps(stripped), "utf-8")
    with pytest.raises(LacunaError, match="no question with an answer"):
        sample("hotpotqa", hidden, empty)
    fullwiki = TaskSettings(pay_cents=1, more={"setting": "fullwiki"})
    (problem,) = TASK.check_settings(fullwiki)
    assert (problem.field, "distractor" in problem.message) == ("more.setting", True)
    (problem,) = TASK.check_settings(TaskSettings(pay_cents=1, more={"dataset": "quac"}))
    assert problem.field == "more.dataset"


HOP = trial_item("hotpotqa", "distractor")
RIGHT: Json = {"kind": "span", "texts": ["Grellby"], "supporting": [[0, 1], [1, 1]]}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({}, None),
        ({"texts": ["grellby,  the"]}, None),
        ({"kind": "yes"}, None),
        ({"kind": "none"}, "kind"),
        ({"kind": ["span"]}, "kind"),
        ({"texts": []}, "texts"),
        ({"texts": ["London"]}, "texts"),
        ({"texts": ["Grellby", "Fenn"]}, "texts"),
        ({"supporting": []}, "supporting"),
        ({"supporting": [[0, 9]]}, "supporting"),
        ({"supporting": [[True, 0]]}, "supporting"),
        ({"supporting": [[0, 1], [0, 1]]}, "supporting"),
        ({"more": 1}, ""),
    ],
)
def test_what_an_answer_needs(change: Json, field: str | None) -> None:
    found = TASK.check(HOP.payload, {**RIGHT, **change}, TASK.settings)
    assert [one.field for one in found] == ([] if field is None else [field])


def test_numbers_choices_and_parts() -> None:
    def told(dataset: str, work: Json) -> list[str]:
        item = trial_item(dataset, SHEETS[dataset].settings[0])
        return [one.field for one in TASK.check(item.payload, work, TASK.settings)]

    assert told("iirc", {"kind": "number", "number": "12", "unit": "years"}) == []
    assert told("iirc", {"kind": "number", "number": "a dozen", "unit": 3}) == ["number", "unit"]
    assert told("iirc", {"kind": "span", "texts": ["Grellby", "Fenn"]}) == []
    assert told("openbookqa", {"kind": "choice", "choice": "B"}) == []
    assert told("openbookqa", {"kind": "choice", "choice": "E"}) == ["choice"]


@given(
    st.dictionaries(
        st.sampled_from(["kind", "texts", "number", "unit", "choice", "supporting"]),
        st.none()
        | st.integers()
        | st.sampled_from(["span", "number", "yes", "choice"])
        | st.lists(st.text(max_size=3) | st.lists(st.integers(), max_size=2), max_size=3),
    ),
    st.sampled_from(sorted(SHEETS)),
)
def test_anything_can_be_checked(work: Any, dataset: str) -> None:
    item = trial_item(dataset, SHEETS[dataset].settings[0])
    TASK.check(item.payload, work, TASK.settings)
    assert 0 <= TASK.score(item.payload, work, item.gold or {}) <= 1


def finished(payload: Json, *works: Json) -> list[FinishedWork]:
    return [
        FinishedWork(payload["id"], payload, "", work, person, person, 1.0)
        for person, work in enumerate(works, 1)
    ]


def hop(answer: str, *supporting: list[int]) -> Json:
    return {"kind": "span", "texts": [answer], "supporting": list(supporting)}


def with_gold(answer: str, *supporting: list[Any]) -> Json:
    kept = {"kind": "span", "texts": [answer], "value": None, "unit": "", "label": ""}
    return {**HOP.payload, "gold": {"answers": [kept], "supporting": list(supporting)}}


def test_hotpotqas_people_are_held_against_each_other() -> None:
    """The file's answer is one more person's; the nearest answer and the nearest support count."""
    payload = with_gold("Tilda Roke", ["Marrow Light", 1], ["Tilda Roke", 0])
    works = finished(
        payload,
        hop("Roke", [0, 1], [1, 0]),
        hop("Tilda Roke", [0, 1]),
        hop("Fenn", [0, 0]),
    )
    row = human_row([works], "2026-01-01")
    assert (row.questions, row.people) == (1, 3)
    # The second has the very answer, the first the very sentences.
    for name in ("em", "f1", "sp_em", "sp_f1", "joint_em", "joint_f1"):
        assert row.measures[name] == 1, name
    alone = human_row([works[2:]], "2026-01-01")
    assert (alone.measures["f1"], alone.measures["sp_f1"]) == (0, 0)
    partly = human_row([works[:1]], "2026-01-01")
    assert partly.measures["em"] == 0
    assert partly.measures["f1"] == pytest.approx(2 / 3)
    assert (partly.measures["sp_em"], partly.measures["joint_em"]) == (1, 0)
    assert partly.measures["joint_f1"] == pytest.approx(2 / 3)


def test_the_upper_bound_takes_the_best_of_everybody() -> None:
    payload = with_gold("Fenn", ["Marrow Light", 0])
    same = hop("Tilda Roke", [0, 1], [1, 0])
    row = human_row([finished(payload, same, same)], "2026-01-01")
    assert (row.measures["em"], row.measures["sp_f1"]) == (0, 0)
    assert (row.upper_bound["em"], row.upper_bound["joint_f1"]) == (1, 1)


def test_other_datasets_hold_people_against_the_file() -> None:
    with open_store() as corpus:
        items = sample("iirc", demo.QUESTIONS, corpus, questions=30)
    golds = [one.payload["gold"]["answers"][0] for one in items]
    item, gold = next(one for one in zip(items, golds, strict=True) if one[1]["kind"] == "number")
    right = {"kind": "number", "number": gold["texts"][0], "unit": gold["unit"]}
    row = human_row([finished(item.payload, right, {"kind": "none"})], "2026-01-01")
    assert row.measures == {"em": 0.5, "f1": 0.5}
    assert row.upper_bound == {}
    assert likeness(item.payload, right, right) == 1


def test_the_export_has_the_row_and_no_names(tmp_path: Path, empty: Store) -> None:
    payload = with_gold("Grellby", ["Marrow Light", 1], ["Tilda Roke", 1])
    works = finished(payload, RIGHT, {**RIGHT, "supporting": [[0, 1]]}, {"kind": "spoiled"})
    report = FAMILY.export({"human-check": works}, empty, tmp_path)
    assert (report["questions"], report["people"]) == (1, 2)
    row = json.loads((tmp_path / "human.json").read_text("utf-8"))
    assert row.keys() == {
        *("dataset", "setting", "questions", "people", "made", "measures", "upper_bound")
    }
    lines = [json.loads(one) for one in (tmp_path / "answers.jsonl").read_text().splitlines()]
    assert [(one["person"], one["answer"]) for one in lines] == [(1, "Grellby"), (2, "Grellby")]
    assert lines[1]["supporting_facts"] == [["Marrow Light", 1]]
    assert FAMILY.export({}, empty, tmp_path)["questions"] == 0
    assert 0 < FAMILY.agreement({"human-check": works})["human-check"]["alike"] < 1
