from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.datasets import get_dataset
from lacuna.datasets.base import Item
from lacuna.errors import LacunaError
from lacuna.types import Document, Span
from lacuna_collect.mining import Pair, PairKind, item_of

PAIR = Pair(PairKind.BRIDGE, "Town 1", "Town 2")
COMPARED = Pair(PairKind.COMPARISON, "Town 1", "Town 2", yes_no=True, group="towns")


@pytest.fixture
def towns() -> dict[str, Document]:
    found = {}
    for title in (f"Town {number}" for number in range(30)):
        sentences = f"{title} is old.", "It has mills."
        first = " ".join(sentences)
        cut = len(sentences[0])
        found[title] = Document(
            title,
            f"{first}\n\nMore of it.",
            (Span(0, cut), Span(cut + 1, len(first)), Span(len(first) + 2, len(first) + 13)),
            paragraphs=(Span(0, len(first)), Span(len(first) + 2, len(first) + 13)),
        )
    return found


class Search:
    """Finds titles in a fixed order, and remembers what it was asked."""

    def __init__(self, titles: list[str]) -> None:
        self.titles = titles
        self.queries: list[str] = []

    def __call__(self, query: str, k: int) -> list[str]:
        self.queries.append(query)
        return self.titles[:k]


def test_eight_best_distractors_and_both_gold_paragraphs(towns: dict[str, Document]) -> None:
    item = item_of(PAIR, towns.get, Search(list(towns)), seed=1)
    expected = {"Town 0", *(f"Town {n}" for n in range(3, 10)), "Town 1", "Town 2"}
    assert {document.title for document in item.documents} == expected
    assert len(item.documents) == 10
    assert all(document.text.endswith("mills.") for document in item.documents)
    assert item.text == ""
    assert item.gold is None
    assert item.extra == {
        "type": "bridge",
        "gold_titles": ["Town 1", "Town 2"],
        "answer_wanted": "span",
    }


def test_a_comparison_says_what_is_wanted_and_from_which_list(
    towns: dict[str, Document],
) -> None:
    extra = item_of(COMPARED, towns.get, Search(list(towns)), seed=1).extra
    assert extra["type"] == "comparison"
    assert extra["answer_wanted"] == "yes/no"
    assert extra["list"] == "towns"


def test_the_query_is_the_question_once_there_is_one(towns: dict[str, Document]) -> None:
    search = Search(list(towns))
    item_of(PAIR, towns.get, search, seed=1)
    item = item_of(PAIR, towns.get, search, seed=1, question="Which town has mills?")
    assert search.queries == [
        "Town 1 Town 1 is old. Town 2 Town 2 is old.",
        "Which town has mills?",
    ]
    assert item.text == "Which town has mills?"


def test_order_and_id_depend_on_seed_and_pair_alone(towns: dict[str, Document]) -> None:
    search = Search(list(towns))
    one, again = (item_of(PAIR, towns.get, search, seed=1) for _ in range(2))
    assert one == again
    orders = {
        tuple(d.title for d in item_of(PAIR, towns.get, search, seed).documents)
        for seed in range(20)
    }
    assert len(orders) == 20
    assert item_of(COMPARED, towns.get, search, seed=1).id != one.id


def test_gold_paragraphs_come_at_every_place(towns: dict[str, Document]) -> None:
    search = Search(list(towns))
    places = set()
    for seed in range(200):
        titles = [document.title for document in item_of(PAIR, towns.get, search, seed).documents]
        places.add(titles.index("Town 1"))
    assert places == set(range(10))


def test_titles_that_lead_nowhere_or_twice_to_one_document_are_passed_over(
    towns: dict[str, Document],
) -> None:
    def document(title: str) -> Document | None:
        return towns.get(title.removesuffix(" (again)"))

    titles = [variant for n in range(9) for variant in (f"Town {n}", f"Town {n} (again)", "?")]
    titles_found = [d.title for d in item_of(PAIR, document, Search(titles), 1).documents]
    assert len(set(titles_found)) == len(titles_found)
    assert set(titles_found) <= towns.keys()


def test_a_small_corpus_gives_fewer(towns: dict[str, Document]) -> None:
    few = Search(["Town 1", "Town 5"])
    assert len(item_of(PAIR, towns.get, few, seed=1).documents) == 3


def test_a_gold_paragraph_that_is_not_there_is_an_error(towns: dict[str, Document]) -> None:
    with pytest.raises(LacunaError, match="there is no document Atlantis"):
        item_of(Pair(PairKind.BRIDGE, "Town 1", "Atlantis"), towns.get, Search([]), seed=1)


def test_the_items_are_hotpotqa_s(tmp_path: Path, towns: dict[str, Document]) -> None:
    towns["Town 4"] = Document("Town 4", "A text that knows no sentences")
    item = item_of(COMPARED, towns.get, Search(list(towns)), seed=1)
    path = tmp_path / "items.json"
    task = get_dataset("hotpotqa")
    task.write(path, [Item.of(item)])
    with task.open(path) as reader:
        (read,) = reader.questions()
    assert (read.id, read.text, read.gold, read.extra) == (item.id, "", None, item.extra)
    assert [(d.title, d.text, d.sentences) for d in read.documents] == [
        (d.title, d.text, d.sentences) for d in item.documents
    ]
