"""Algorithm 1, live, and the groups it draws from."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

from pairs_at_hand import seeded

from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna_collect.tasks.hotpotqa import FAMILY, HotpotQuestionsTask
from lacuna_collect.tasks.hotpotqa_pairs import categories_of, lists_of
from lacuna_collect.tasks.task import (
    MOST_BONUS_CENTS,
    FinishedWork,
    NewItem,
    SettlingTask,
    TaskSettings,
)

TASK = HotpotQuestionsTask()


def with_more(**more: object) -> TaskSettings:
    return replace(TASK.settings, more={**TASK.settings.more, **more})


def drawn(corpus: Store, settings: TaskSettings, most: int = 10_000) -> list[NewItem]:
    items: list[NewItem] = []
    random = seeded()
    while len(items) < most:
        taken = frozenset(item.key for item in items)
        item = TASK.draw_item(corpus, settings, random, taken)
        if item is None:
            break
        items.append(item)
    return items


def test_every_pair_is_drawn_once_and_then_none(corpus: Store) -> None:
    items = drawn(corpus, TASK.settings)
    kinds = Counter(item.payload["kind"] for item in items)
    # Links from first paragraphs; 3 pairs of lighthouses, 1 of people.
    assert kinds == {"bridge": 5, "comparison": 4}
    assert len({item.key for item in items}) == len(items)
    assert all(p["sentences"] for item in items for p in item.payload["paragraphs"])


def test_the_shares_can_be_set(corpus: Store) -> None:
    assert {i.payload["kind"] for i in drawn(corpus, with_more(bridge_ratio=1.0), 5)} == {"bridge"}
    compared = drawn(corpus, with_more(bridge_ratio=0.0, yes_no_ratio=1.0), 4)
    assert [item.payload["yes_no"] for item in compared] == [True] * 4
    compared = drawn(corpus, with_more(bridge_ratio=0.0, yes_no_ratio=0.0), 4)
    assert [item.payload["yes_no"] for item in compared] == [False] * 4


def test_the_papers_shares_over_the_demo() -> None:
    kinds: Counter[str] = Counter()
    with open_store(None) as demo:
        random = Random(1)
        for _ in range(400):
            item = TASK.draw_item(demo, TASK.settings, random, frozenset())
            assert item is not None
            kinds[item.payload["kind"]] += 1
            kinds["yes/no"] += item.payload["yes_no"]
    assert 0.68 < kinds["bridge"] / 400 < 0.82
    assert 0.35 < kinds["yes/no"] / kinds["comparison"] < 0.65


def test_a_bridge_is_marked_where_the_first_paragraph_links_to_it(corpus: Store) -> None:
    for item in drawn(corpus, with_more(bridge_ratio=1.0), 5):
        first, second = item.payload["paragraphs"]
        (anchor,) = item.payload["anchors"]
        text = first["sentences"][anchor["sentence"]]
        assert text[anchor["start"] : anchor["end"]] == second["title"]
        assert second["title"] in item.payload["hints"]["read"]


def test_only_what_a_writer_may_see_is_shown(corpus: Store) -> None:
    (item,) = drawn(corpus, TASK.settings, 1)
    shown = TASK.shown({**item.payload, "secret": 1}, TASK.settings)
    assert "secret" not in shown
    assert "short_names" not in shown
    assert shown["paragraphs"] == item.payload["paragraphs"]
    assert json.loads(json.dumps(item.payload)) == item.payload


def test_groups_without_a_file_are_what_documents_are_called(corpus: Store) -> None:
    assert categories_of(corpus)["lighthouse"] == ("Holm Beacon", "Marrow Light", "Sell Light")
    assert "Fenn" in categories_of(corpus)["other"]
    assert set(lists_of(corpus)) == {"lighthouse", "person"}


def test_a_file_of_groups_is_used(corpus: Store, tmp_path: Path) -> None:
    file = tmp_path / "groups.json"
    file.write_text(json.dumps({"islands": ["fenn", "Nowhere"], "none": ["Nowhere"]}), "utf-8")
    settings = with_more(categories_file=str(file), bridge_ratio=1.0, chosen_lists=[])
    assert categories_of(corpus, str(file)) == {"islands": ("Fenn",)}
    assert {i.payload["paragraphs"][1]["title"] for i in drawn(corpus, settings)} == {"Fenn"}


def test_curation_settles_which_groups_are_used(corpus: Store) -> None:
    categories = FAMILY.tasks[0]
    items = list(categories.make_items(corpus, categories.settings, seeded()))
    again = list(categories.make_items(corpus, categories.settings, Random(99)))
    assert items == again
    finished = [
        FinishedWork(
            item.key,
            item.payload,
            "",
            {"askable": [item.payload["group"] == "other"] * len(item.payload["pairs"])},
            1,
            number,
            1.0,
        )
        for number, item in enumerate(items)
    ]
    assert isinstance(categories, SettlingTask)
    assert categories.settle([], categories.settings) == {}
    settled = categories.settle(finished, categories.settings)["hotpotqa-questions"]
    assert settled["chosen_categories"] == ["other"]
    assert not TASK.check_settings(replace(TASK.settings, more=settled))
    titles = {
        item.payload["paragraphs"][1]["title"]
        for item in drawn(corpus, with_more(bridge_ratio=1.0, chosen_lists=[], **settled))
    }
    assert titles == {"Fenn", "Tilda Roke"}


def test_settings_are_checked() -> None:
    bad = {
        "bridge_ratio": 1.5,
        "seed": 1.5,
        "best_cents": MOST_BONUS_CENTS + 1,
        "categories_file": "nowhere.json",
        "split_models": ["a", "b"],
        "yes_no_ratio": float("nan"),
        "no such": 1,
    }
    problems = TASK.check_settings(TaskSettings(1, more=bad))
    assert {problem.field for problem in problems} == {f"more.{name}" for name in bad}
    for task in FAMILY.tasks:
        assert not task.check_settings(task.settings)
