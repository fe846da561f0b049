"""What an answer may be, and what everybody's answers become."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from iirc_work import ANSWERS, ANY_JSON, SMALL, answered, asked, finished, sets, to_answer

from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna_collect.tasks.iirc import FAMILY, answer_trial
from lacuna_collect.tasks.task import Json

TRIAL = answer_trial()
assert TRIAL.gold is not None
GOLD: Json = TRIAL.gold
SPAN = GOLD["answers"][2]


def fields(work: Any) -> list[str]:
    return [problem.field for problem in ANSWERS.check(TRIAL.payload, work, SMALL)]


def changed(at: int, /, **change: Any) -> Json:
    answers = list(GOLD["answers"])
    answers[at] = {**answers[at], **change}
    return {"answers": answers}


def test_the_test_can_be_passed() -> None:
    assert fields(GOLD) == []
    assert ANSWERS.score(TRIAL.payload, GOLD, GOLD) == 1
    other = changed(0, number="37")
    assert fields(other) == []
    assert ANSWERS.score(TRIAL.payload, other, GOLD) == 5 / 6


@pytest.mark.parametrize(
    ("number", "change", "field"),
    [
        (0, {"kind": "maybe"}, "kind"),
        (0, {"number": "about 36"}, "number"),
        (0, {"number": "1,20"}, "number"),
        (0, {"number": "nan"}, "number"),
        (0, {"unit": ""}, "unit"),
        (0, {"context": []}, "context"),
        (0, {"context": [{"source": "question", "start": 0, "end": 3}]}, "context.0"),
        (
            1,
            {"context": [{"source": "article", "title": "Paris", "start": 0, "end": 3}]},
            "context.0",
        ),
        (1, {"context": [{"source": "paragraph", "start": 0, "end": 9_999}]}, "context.0"),
        (2, {"spans": []}, "spans"),
        (2, {"spans": SPAN["spans"] * 2}, "spans.1"),
        (2, {"spans": [{"source": "question", "start": 3, "end": 8}]}, "spans.0"),
        (5, {"reason": "boring"}, "reason"),
    ],
)
def test_each_field_has_its_message(number: int, change: Json, field: str) -> None:
    assert fields(changed(number, **change)) == [f"answers.{number}.{field}"]


@pytest.mark.parametrize(("start", "end"), [(1, 0), (0, -1), (1, -1)])
@pytest.mark.parametrize("name", ["spans", "context"])
def test_a_place_that_ends_within_a_word_is_refused(name: str, start: int, end: int) -> None:
    place = SPAN[name][0]
    cut = {**place, "start": place["start"] + start, "end": place["end"] + end}
    work = changed(2, **{name: [cut]})
    (problem,) = ANSWERS.check(TRIAL.payload, work, SMALL)
    assert problem.field == f"answers.2.{name}.0"
    assert "whole words" in problem.message


def test_an_answer_may_stand_in_the_question() -> None:
    assert fields(changed(2, spans=[{"source": "question", "start": 0, "end": 3}])) == []


@given(ANY_JSON, st.integers(0, 5))
def test_anything_can_be_handed_in(value: Any, number: int) -> None:
    assert fields(value)
    assert fields({"answers": [value] * 6})
    for name in ("kind", "spans", "context", "number", "unit", "reason"):
        fields(changed(number, **{name: value}))
    for name in ("source", "title", "start", "end"):
        for list_name in ("spans", "context"):
            fields(changed(2, **{list_name: [{**SPAN[list_name][0], name: value}]}))
            place = {"source": "paragraph", "start": 0, "end": 4, name: value}
            fields(changed(2, **{list_name: [place]}))


def test_one_sees_the_questions_their_paragraphs_and_what_these_link_to(demo_corpus: Store) -> None:
    item = to_answer(sets(demo_corpus)[0])
    shown = ANSWERS.shown(item.payload, SMALL)
    assert shown.keys() == {"questions", "paragraphs", "articles"}
    assert all("loop" not in question for question in shown["questions"])


def collected(corpus: Store) -> tuple[dict[str, list[Any]], dict[str, int]]:
    """A set of each split with its answers, and what is to be kept of them."""
    items = sets(corpus)
    by_split = {
        split: next(i for i in items if i.split == split) for split in ("train", "dev", "test")
    }
    train, dev, test = (
        to_answer(by_split[split], number) for number, split in enumerate(by_split, 1)
    )
    answers = [
        finished(train, answered(train.payload, "span", "none", "bad"), 11),
        # dev: two agree, two agree that it is bad, no two agree
        finished(dev, answered(dev.payload, "span", "bad", "yes"), 12),
        finished(dev, answered(dev.payload, "span", "bad", "no"), 13),
        finished(dev, answered(dev.payload, "none", "span", "none"), 14),
        # test: two of three are in
        finished(test, answered(test.payload, "number", "yes", "span"), 15),
        finished(test, answered(test.payload, "number", "yes", "no"), 16),
    ]
    unanswered = asked(items[-1], 99)
    questions = [asked(by_split[split], n) for n, split in enumerate(by_split, 1)]
    return {"iirc-answers": answers, "iirc-questions": [*questions, unanswered]}, {
        "train": 2,
        "dev": 1,
        "test": 2,
    }


def test_the_export_is_a_dataset_and_says_what_it_left_out(
    demo_corpus: Store, tmp_path: Path, lacuna: Any
) -> None:
    work, kept = collected(demo_corpus)
    report = FAMILY.export(work, demo_corpus, tmp_path)
    for split, count in kept.items():
        path = tmp_path / f"{split}.json"
        assert report["written"][path.name]["questions"] == count
        checked = lacuna("data", "check", "iirc", str(path))
        assert checked.code == 0, checked.err
        with get_dataset("iirc").open(path) as reader:
            questions = [q for item in reader for block in item.blocks for q in block.questions]
        assert len(questions) == count
        for question in questions:
            assert get_dataset("iirc").oddities(question) == []
    assert report["left_out"]["reasons"] == {
        "bad question: senseless": 2,
        "no two people agree": 1,
        "not answered by enough people yet": 1,
        "waits for its first answer": 3,
    }
    assert report["left_out"]["by_question"]["q2-2"] == "no two people agree"


def test_the_articles_can_be_asked(demo_corpus: Store, tmp_path: Path, lacuna: Any) -> None:
    FAMILY.export(collected(demo_corpus)[0], demo_corpus, tmp_path)
    out = tmp_path / "store"
    indexed = lacuna("index", str(tmp_path / "context_articles.json"), "--out", str(out))
    assert indexed.code == 0, indexed.err
    with Store.open(out) as store, get_dataset("iirc").open(tmp_path / "train.json") as reader:
        for item in reader:
            for question in item.blocks[0].questions:
                assert question.context is not None
                assert all(link.target in store for link in question.context.links)
                for document in question.documents:
                    assert document.text in store.document(document.title).text


def test_agreement_by_type(demo_corpus: Store) -> None:
    told = FAMILY.agreement(collected(demo_corpus)[0])["iirc-answers"]
    assert told["questions"] == 6  # of dev and test: the training set has one answer each
    # Pairs: 1 of 3, 1 of 3, 0 of 3 in dev; 1, 1 and 0 of 1 in test.
    assert told["exact"] == pytest.approx(4 / 12)
    assert told["types"]["value"] == {"questions": 1, "exact": 1.0, "f1": 1.0, "alpha": 1.0}
    assert told["types"]["none"]["questions"] == 0
    assert told["types"]["none"]["exact"] is None
    assert told["types"]["none"]["alpha"] < 0
    assert 0 < told["alpha"] < 1


def test_nothing_collected_makes_empty_files(demo_corpus: Store, tmp_path: Path) -> None:
    report = FAMILY.export({}, demo_corpus, tmp_path)
    assert report["left_out"]["questions"] == 0
    assert (tmp_path / "train.json").read_text().split() == ["[", "]"]
    assert FAMILY.agreement({})["iirc-answers"]["alpha"] is None
