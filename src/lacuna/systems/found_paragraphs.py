"""Full wiki as HotpotQA's paper does it: the first paragraphs that are found, read together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lacuna.corpus.store import Store
from lacuna.datasets.setting import Setting
from lacuna.models.protocol import Reader
from lacuna.retrieve.protocol import Hit, Retriever
from lacuna.systems.reading import read_arranged
from lacuna.systems.system import Progress
from lacuna.types import Document, Prediction, Question

PARAGRAPHS = 10
"""As many as a question comes with where nothing is searched."""


class FoundParagraphsSystem:
    """A reader of several paragraphs, over those that a retriever finds for a question."""

    def __init__(self, store: Store, retriever: Retriever, reader: Reader, name: str) -> None:
        self.name = name
        self._store, self._retriever, self._reader = store, retriever, reader

    def predict(
        self,
        questions: Iterable[Question],
        *,
        setting: Setting,
        progress: Progress | None = None,
    ) -> dict[str, Prediction]:
        """The predictions by id, in the order of the questions."""
        return read_arranged(
            self._reader, questions, self._arranged, setting=setting, progress=progress
        )

    def _arranged(self, question: Question) -> Question:
        return replace(question, documents=self._found(question))

    def _found(self, question: Question) -> tuple[Document, ...]:
        hits = self._retriever.search(question.text, PARAGRAPHS)
        best: dict[str, Hit] = {}
        for hit in hits:
            best.setdefault(hit.title, hit)  # one paragraph of each document
        return tuple(map(self._paragraph, best.values()))

    def _paragraph(self, hit: Hit) -> Document:
        """A document up to the end of what was found, so that places and numbers stay its own."""
        document = self._store.document(hit.title)
        sentences = tuple(span for span in document.sentences if span.end <= hit.end)
        return Document(document.title, document.text[: hit.end], sentences)
