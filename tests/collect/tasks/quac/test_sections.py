"""Which sections people talk about: the paper's filters, and one fold for each article."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")

from quac_site import SMALL, article

from lacuna.corpus.open import open_store
from lacuna.errors import LacunaError
from lacuna_collect.tasks.quac_dialogs import (
    OPTIONS,
    QuACDialogs,
    section_items,
)
from lacuna_collect.tasks.task import NewItem, TaskSettings, set_to


def sections(folder: Path, **options: Any) -> list[NewItem]:
    settings = TaskSettings(pay_cents=33, more={**SMALL, **options})
    assert not QuACDialogs().check_settings(settings)
    with open_store(folder) as corpus:
        return list(section_items(corpus, set_to(settings, OPTIONS)))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(12):
        name = f"Person {number}"
        text = article(name) + "\n## Later years\n\n" + f"{name} lived in Sell. " * 20
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    river = article("Orne").replace("Orne (1851–1929) was an engineer", "The Orne is a river")
    (folder / "Orne.md").write_text(river, encoding="utf-8")
    return folder


def test_people_alone(notes: Path) -> None:
    assert "Orne" not in {item.payload["title"] for item in sections(notes)}
    assert "Orne" in {item.payload["title"] for item in sections(notes, people_only=False)}


def test_keywords(notes: Path) -> None:
    assert not {"Orne"} ^ {
        item.payload["title"]
        for item in sections(notes, people_only=False, keywords=["river", "lake"])
    }


def test_much_linked_articles_of_some_length(notes: Path) -> None:
    for options in ({"fewest_in_links": 100}, {"tokens": [5_000, 6_000]}, {"paragraphs": [9, 9]}):
        with pytest.raises(LacunaError, match="No section of the corpus passes"):
            sections(notes, **options)


def test_an_article_is_in_one_fold_and_only_train_has_several_dialogs(notes: Path) -> None:
    items = sections(notes, percent_dev=30, percent_test=30)
    folds: dict[str, set[str]] = {}
    for item in items:
        folds.setdefault(item.payload["title"], set()).add(item.split)
        assert item.copies == (6 if item.split == "train" else 2)
    assert all(len(splits) == 1 for splits in folds.values())
    assert set().union(*folds.values()) == {"train", "dev", "test"}
    assert len(items) > len(folds), "articles have several sections"


def test_the_student_sees_the_first_paragraph_and_not_the_section(notes: Path) -> None:
    task = QuACDialogs()
    for item in sections(notes):
        shown = task.shown(item.payload, task.settings)
        assert set(shown) == {"kind", "title", "section", "background"}
        assert item.payload["text"] not in str(shown)
        assert item.payload["background"].startswith(item.payload["title"])
        assert not item.payload["text"].startswith(item.payload["section"])
        text = item.payload["text"]
        assert all(text[end - 1] == "." for _, end in item.payload["sentences"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("no_such", 1),
        ("tokens", [5]),
        ("tokens", [9, 5]),
        ("tokens", "many"),
        ("people_only", 1),
        ("keywords", "river"),
        ("percent_dev", 95),
        ("fewest_pairs", 13),
        ("idle_end_seconds", 100),
        ("most_pairs", 0),
    ],
)
def test_settings_that_make_no_sense(name: str, value: Any) -> None:
    problems = QuACDialogs().check_settings(TaskSettings(pay_cents=33, more={name: value}))
    assert len(problems) == 1
