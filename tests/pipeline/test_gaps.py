"""What is missing, in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lacuna.corpus.source_item import Skipped
from lacuna.corpus.store import Store
from lacuna.pipeline.gaps import LONGEST_QUESTION, dialog_gap, remaining_gap
from lacuna.pipeline.links import LinkTarget
from lacuna.pipeline.query import Query
from lacuna.pipeline.state import QuestionState
from lacuna.places import Origin
from lacuna.retrieve.windows import Window
from lacuna.types import Document


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "corpus") as made:
        yield made


def state(places: int, dangling: int = 0, question: str = "Who?") -> QuestionState:
    made = QuestionState(Query(question))
    made.ranked = {Window(f"Page {number}", 0, 9): 1.0 for number in range(places)}
    made.links = [LinkTarget(f"Gone {number}", 0.0, (), True, False) for number in range(dangling)]
    return made


@pytest.mark.parametrize(
    ("places", "said"),
    [(0, "No text was found"), (1, "The one place that"), (2, "None of the 2 places")],
)
def test_where_it_was_looked_for(store: Store, places: int, said: str) -> None:
    assert remaining_gap(store, state(places)).missing.startswith(said)


@pytest.mark.parametrize(
    ("dangling", "said"),
    [
        (1, "in Gone 0, which is linked"),
        (2, "in Gone 0 or Gone 1, which are"),
        (4, "in Gone 0, Gone 1, Gone 2 or Gone 3, which are"),
        (9, "in Gone 0, Gone 1, Gone 2 or others, which are"),
    ],
)
def test_few_of_the_links_that_lead_nowhere_are_named(
    store: Store, dangling: int, said: str
) -> None:
    found = remaining_gap(store, state(1, dangling))
    assert said in found.missing
    assert len(found.dangling) == dangling


def test_a_long_question_is_not_said_again_in_full(store: Store) -> None:
    missing = remaining_gap(store, state(1, question="why " * 5000)).missing
    assert len(missing) < LONGEST_QUESTION + 100
    assert missing.endswith("…”")


def test_files_that_could_not_be_read_are_counted(store: Store) -> None:
    with store.writer() as writer:
        writer.add([Document("Page 0", "Some text.")])
    assert remaining_gap(store, state(1)).unread == 0
    with store.writer() as writer:
        writer.add([Skipped("a.xyz", "unknown kind")])
    gap = remaining_gap(store, state(1))
    assert (gap.unread, gap.missing.endswith(" 1 file here could not be read.")) == (1, True)
    with store.writer() as writer:
        writer.add([Skipped("b.xyz", "unknown kind")])
    gap = dialog_gap(store, "Who?", ("Page 0",))
    assert (gap.unread, gap.missing.endswith(" 2 files here could not be read.")) == (2, True)


def test_the_nearest_evidence_has_its_place(store: Store) -> None:
    marks = ((0, 1), (5, 3))
    with store.writer() as writer:
        writer.add([Document("Page 0", "Some text.", origin=Origin("a.md", marks=marks))])
    made = state(1)
    assert str(remaining_gap(store, made).nearest_place) == "a.md:1"
    made.ranked = {Window("Page 0", 6, 9): 1.0, Window("Gone", 0, 2): 0.5}
    assert str(remaining_gap(store, made).nearest_place) == "a.md:3"
    made.ranked = {Window("Gone", 0, 2): 0.5}
    assert remaining_gap(store, made).nearest_place is None
