"""Long parts of items are kept once, and come back as they were."""

from __future__ import annotations

from typing import Any, cast

import pytest
from sqlalchemy import func, select

from lacuna.errors import LacunaError
from lacuna_collect.database.engine import CollectDatabase
from lacuna_collect.database.tables import ITEM, SHARED_TEXT
from lacuna_collect.tasks.iirc import IIRCAnswers
from lacuna_collect.tasks.iirc_questions import IIRCQuestions
from lacuna_collect.tasks.task import CollectTask, Json, NewItem
from lacuna_collect.work.assignments import (
    NoWork,
    TaskInUse,
    TextsAtHand,
    is_digest,
    keep_apart,
    with_shared,
)
from lacuna_collect.work.work import Work

ARTICLES: Json = {
    "Bay": {"text": "A bay \u00e9 \ud800.", "paragraphs": [[0, 10]]},
    "Cape": {"text": "A cape."},
}
READS = cast(CollectTask, IIRCAnswers())
HANDS_ON = cast(CollectTask, IIRCQuestions())


def stored(database: CollectDatabase) -> int:
    with database.read() as transaction:
        return transaction.scalar(select(func.count()).select_from(SHARED_TEXT)) or 0


def test_parts_come_back_as_they_were(database: CollectDatabase) -> None:
    payload = {"kind": "writing", "articles": ARTICLES}
    with database.begin() as transaction:
        kept = keep_apart(transaction, READS, payload)
    assert kept["kind"] == "writing"
    assert all(is_digest(part) for part in kept["articles"].values())
    with database.read() as transaction:
        assert with_shared(transaction, READS, kept) == payload
        assert with_shared(transaction, HANDS_ON, kept) == kept


def test_each_is_kept_once(database: CollectDatabase) -> None:
    with database.begin() as transaction:
        first = keep_apart(transaction, HANDS_ON, {"articles": ARTICLES})
        keep_apart(transaction, READS, {"articles": {"Other name": ARTICLES["Bay"]}})
    with database.begin() as transaction:
        again = keep_apart(transaction, READS, {"articles": ARTICLES})
        handed_on = keep_apart(transaction, READS, first)
    assert again == first == handed_on
    assert stored(database) == 2


def test_items_of_other_tasks_stay_as_they_are(database: CollectDatabase) -> None:
    payload = {"articles": ARTICLES}
    with database.begin() as transaction:
        assert keep_apart(transaction, cast(CollectTask, object()), payload) is payload
        assert with_shared(transaction, cast(CollectTask, object()), payload) is payload
        assert keep_apart(transaction, READS, {"kind": "judging"}) == {"kind": "judging"}


def test_a_text_that_is_not_there_is_told(database: CollectDatabase) -> None:
    with (
        pytest.raises(LacunaError, match="does not have"),
        database.read() as transaction,
    ):
        with_shared(transaction, READS, {"articles": {"Bay": {"digest": "none such"}}})


def test_memory_is_bounded() -> None:
    texts = TextsAtHand(most=25)
    for name in ("one", "two", "three"):
        texts.add(name, {"name": name}, 10)
        texts.add(name, {"name": name}, 10)
    assert texts.those(["one", "two", "three"]) == {
        "two": {"name": "two"},
        "three": {"name": "three"},
    }


def test_what_never_draws_is_not_asked_to(database: CollectDatabase, people: list[int]) -> None:
    def corpus() -> Any:
        raise AssertionError("the corpus was opened")

    work = Work(database, [TaskInUse(IIRCAnswers(), IIRCAnswers.settings)], corpus)
    assert isinstance(work.next(people[0], "iirc-answers"), NoWork)
    work.items.add("iirc-answers", [NewItem("a", {"articles": ARTICLES})])
    with database.read() as transaction:
        payload = transaction.execute(select(ITEM.c.payload)).scalar_one()
    assert is_digest(payload["articles"]["Bay"])
