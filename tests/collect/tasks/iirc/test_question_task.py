"""Sets of paragraphs, what of them is shown, and what of the work is accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from iirc_work import (
    ANY_JSON,
    GOOD,
    ONE,
    QUESTIONS,
    SMALL,
    WRITING,
    asked,
    sets,
    written,
)

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna_collect.tasks.iirc_questions import split_of
from lacuna_collect.tasks.task import Json, TaskSettings

PAPER = {"percent_dev": 10, "percent_test": 10}


def fields(work: Any, settings: TaskSettings = ONE, payload: Json = WRITING) -> list[str]:
    return [problem.field for problem in QUESTIONS.check(payload, work, settings)]


def test_sets_have_whole_paragraphs_of_one_split_and_each_once(demo_corpus: Store) -> None:
    items = sets(demo_corpus)
    paragraphs = [one for item in items for one in item.payload["paragraphs"]]
    assert len({one["id"] for one in paragraphs}) == len(paragraphs)
    assert {item.split for item in items} == {"train", "dev", "test"}
    for item in items:
        assert {split_of(one["id"], PAPER) for one in item.payload["paragraphs"]} == {item.split}
        for one in item.payload["paragraphs"]:
            targets = {link["target"] for link in one["links"]}
            assert len(targets) >= 6
            assert targets <= item.payload["articles"].keys()
            for link in one["links"]:
                assert one["text"][link["start"] : link["end"]].strip()
    assert [item.key for item in sets(demo_corpus)] == [item.key for item in items]


def test_the_first_sets_have_all_splits_in_their_shares(demo_corpus: Store) -> None:
    more = {**SMALL.more, "fewest_links": 2, "paragraphs": 1}
    few = sets(demo_corpus, TaskSettings(400, more={**more, "sets": 20}))
    assert len(few) == 20
    assert sum(item.split == "train" for item in few) in range(13, 19)


def test_a_small_corpus_is_told_which_numbers_to_lower(demo_corpus: Store) -> None:
    with pytest.raises(LacunaError, match=r"lower fewest_links or paragraphs") as told:
        sets(demo_corpus, TaskSettings(400, more={"fewest_links": 13}))
    assert "3 paragraphs" in str(told.value)


def test_linked_texts_are_withheld(demo_corpus: Store) -> None:
    item = sets(demo_corpus)[0]
    sent = json.dumps(QUESTIONS.shown(item.payload, SMALL), ensure_ascii=False)
    own = " ".join(one["text"] for one in item.payload["paragraphs"])
    for article in item.payload["articles"].values():
        for start, end in article["sentences"]:
            sentence = article["text"][start:end]
            assert sentence in own or sentence not in sent


def test_whole_work_is_accepted(demo_corpus: Store) -> None:
    for item in sets(demo_corpus):
        work = written(item.payload)
        assert fields(work, SMALL, item.payload) == []
        assert QUESTIONS.score(item.payload, work, {"questions": []}) == 0


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"text": "  "}, "text"),
        ({"text": "Why?"}, "text"),
        ({"text": "How old\nwas she?"}, "text"),
        ({"text": "How old was \ud800 she?"}, "text"),
        ({"text": "x " * 300}, "text"),
        ({"context": []}, "context"),
        ({"context": [[0, 10_000]]}, "context"),
        ({"context": [[5, 5]]}, "context"),
        ({"context": [[-3, 4]]}, "context"),
        ({"context": [[False, True]]}, "context"),
        ({"context": [[0, 5]]}, "context"),  # ends with a space
        ({"context": [[5, 10], [0, 4]]}, "context"),
        ({"links": []}, "links"),
        ({"links": ["Atlantis"]}, "links"),
        ({"links": ["Orne", "Orne"]}, "links"),
        ({"paragraph": "another"}, "paragraph"),
        ({"paragraph": ["list"]}, "paragraph"),
    ],
)
def test_each_field_has_its_message(change: Json, field: str) -> None:
    assert fields({"questions": [GOOD]}) == []
    assert fields({"questions": [{**GOOD, **change}]}) == [f"questions.0.{field}"]


def test_too_few_with_two_links_and_the_same_twice() -> None:
    settings = TaskSettings(pay_cents=1, more={"questions": 2, "fewest_multi_link": 1})
    both = {"questions": [GOOD, {**GOOD, "text": "how old was its designer THEN"}]}
    assert fields(both, settings) == ["questions.1.text", "questions"]
    two = {**GOOD, "text": "Was it older than that?", "links": ["Ada Fenn", "Orne"]}
    assert fields({"questions": [GOOD, two]}, settings) == []
    assert fields({"questions": [GOOD, {**two, "context": []}]}, settings) == [
        "questions.1.context"
    ]


@given(ANY_JSON)
def test_anything_can_be_handed_in(value: Any) -> None:
    assert fields(value)
    assert fields({"questions": value})
    assert fields({"questions": [value]})
    for name in GOOD:
        fields({"questions": [{**GOOD, name: value}]})
    fields({"questions": [{**GOOD, "context": [value]}]})
    fields({"questions": [{**GOOD, "context": [[value, value]]}]})
    fields({"questions": [{**GOOD, "links": [value]}]})


def test_what_was_accepted_is_to_be_answered_by_others(demo_corpus: Store) -> None:
    for item in sets(demo_corpus):
        texts = [question["text"] for question in written(item.payload)["questions"]]
        loop = {
            "questions.1": {"question": texts[1], "answerable": True},
            "questions.2": {"question": "an earlier wording", "answerable": True},
        }
        (made,) = QUESTIONS.follow_up(asked(item, loop=loop), SMALL)["iirc-answers"]
        assert made.not_for == (5,)
        assert made.copies == (1 if item.split == "train" else 3)
        assert made.split == item.split
        assert len(made.payload["questions"]) == 3
        assert made.payload["questions"][1]["loop"]["answerable"] is True
        assert "loop" not in made.payload["questions"][2]
        linked = {link["target"] for one in made.payload["paragraphs"] for link in one["links"]}
        assert made.payload["articles"].keys() == linked


def test_settings_are_checked() -> None:
    def bad(**more: Any) -> set[str]:
        settings = TaskSettings(pay_cents=400, more=more)
        return {problem.field for problem in QUESTIONS.check_settings(settings)}

    assert bad() == set()
    assert bad(fewest_links="ten", sets=-1) == {"more.fewest_links", "more.sets"}
    assert bad(questions=True) == {"more.questions"}
    assert bad(colour=1) == {"more.colour"}
    assert bad(questions=1) == {"more.fewest_multi_link"}
    assert bad(percent_dev=60, percent_test=60) == {"more.percent_test"}


def test_the_test_is_scored() -> None:
    (item,) = QUESTIONS.qualification(SMALL)
    assert item.gold is not None
    assert QUESTIONS.check(item.payload, item.gold, SMALL) == []
    assert QUESTIONS.score(item.payload, item.gold, item.gold) == 1
    everything_bad = {"judgements": [{"verdict": "senseless"}] * 8}
    assert QUESTIONS.check(item.payload, everything_bad, SMALL) == []
    assert QUESTIONS.score(item.payload, everything_bad, item.gold) == 1 / 8
    assert "gold" not in QUESTIONS.shown(item.payload, SMALL)


@given(ANY_JSON)
def test_anything_can_be_handed_in_for_the_test(value: Any) -> None:
    (item,) = QUESTIONS.qualification(SMALL)
    assert fields(value, SMALL, item.payload)
    fields({"judgements": [value] * 8}, SMALL, item.payload)
    fields({"judgements": [{"verdict": value}] * 8}, SMALL, item.payload)
    fields({"judgements": [{"verdict": "good", "links": value}] * 8}, SMALL, item.payload)
