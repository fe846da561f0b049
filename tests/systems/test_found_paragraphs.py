"""What is found is read together, with places that hold in the documents themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.evaluation.baselines import FoundParagraphsSystem
from lacuna.retrieve.registry import Hit
from lacuna.types import Answer, Document, Prediction, Question, Span

TARN = Document("Tarn", "It is deep. It is old. More.", (Span(0, 11), Span(12, 22), Span(23, 28)))
HOLM = Document("Holm", "No harbour.", (Span(0, 11),))


class Finds:
    """Always the same hits; one document twice."""

    def search(self, query: str, k: int = 10) -> list[Hit]:
        return [Hit("Tarn", 3.0, 0, 22), Hit("Holm", 2.0, 0, 11), Hit("Tarn", 1.0, 23, 28)][:k]


class Remembers:
    """Notes what it is given to read."""

    def __init__(self) -> None:
        self.read_documents: list[tuple[Document, ...]] = []

    def read(self, questions: Sequence[Question], **_: Any) -> list[Prediction]:
        self.read_documents += [question.documents for question in questions]
        return [Prediction(Answer.span(question.id)) for question in questions]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "corpus") as store:
        with store.writer() as writer:
            writer.add([TARN, HOLM])
        yield store


def test_first_paragraphs_are_read_in_the_order_in_which_they_are_found(store: Store) -> None:
    reader = Remembers()
    done: list[int] = []
    system = FoundParagraphsSystem(store, Finds(), reader, "paper")
    questions = [Question(str(number), "How deep?") for number in range(40)]
    setting = get_dataset("hotpotqa").setting("fullwiki")
    predictions = system.predict(questions, setting=setting, progress=done.append)
    assert list(predictions) == [question.id for question in questions]
    assert done == [32, 40]
    first, second = reader.read_documents[0]
    assert (first.title, first.text) == ("Tarn", "It is deep. It is old.")
    assert first.sentences == TARN.sentences[:2]
    assert second.text == HOLM.text
