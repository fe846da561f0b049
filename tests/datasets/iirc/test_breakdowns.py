from __future__ import annotations

from lacuna import Answer, Gold, Question
from lacuna.datasets import get_dataset


def test_links_are_counted_once_and_many_are_one_group() -> None:
    iirc = get_dataset("iirc")

    def label(*links: str) -> str | None:
        question = Question("q", "?", gold=Gold((Answer.none(),), links=links))
        return iirc.breakdowns(question).get("number of links")

    assert label("A", "A", "B") == "2"
    assert label(*"ABCDE") == "4+"
    assert label() is None
