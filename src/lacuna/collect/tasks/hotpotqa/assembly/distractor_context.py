"""Accepted questions as HotpotQA's own: 2 gold paragraphs among 8 that the question finds."""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b

from lacuna.answer_text import answer_from_text
from lacuna.collect.tasks.hotpotqa.shown_paragraph import kept_paragraph, paragraph_document
from lacuna.collect.tasks.hotpotqa.written_question import WrittenQuestion, paragraphs_in
from lacuna.collect.tasks.task import FinishedWork
from lacuna.corpus.mining import Pair, PairKind, item_of
from lacuna.corpus.store import Store
from lacuna.datasets.hotpotqa.hotpotqa_format import NO_ANSWER
from lacuna.retrieve.hotpotqa import HotpotRetriever
from lacuna.types import Document, Gold, Question

FOUND = 10


class ContextMaker:
    """Retrieves the paragraphs that a question is asked over, once it is written."""

    def __init__(self, corpus: Store, seed: int) -> None:
        self._corpus = corpus
        self._retriever = HotpotRetriever(corpus)
        self._seed = seed

    def distractor(self, finished: FinishedWork) -> Question:
        """The question with its gold, over its two paragraphs and eight distractors, shuffled."""
        payload = finished.payload
        written = WrittenQuestion.of(payload, finished.work)
        gold = {paragraph.title: paragraph for paragraph in paragraphs_in(payload)}
        first, second = gold
        pair = Pair(PairKind(payload["kind"]), first, second)

        def document(title: str) -> Document:
            # The gold paragraphs as their writer saw them, whatever the corpus says by now.
            return gold[title] if title in gold else self._corpus.document(title)

        question = item_of(pair, document, self._titles, self._seed, written.question)
        return replace(
            question,
            id=self.id_of(finished),
            gold=Gold(
                (answer_from_text(written.answer, NO_ANSWER),),
                supporting_facts=written.facts(payload),
            ),
            extra={"type": str(pair.kind)},
        )

    def fullwiki(self, question: Question) -> Question:
        """The same question over what is found for it; the gold paragraphs are not put in."""
        found = [paragraph_document(kept) for kept in self._found(question.text)]
        return replace(question, documents=tuple(found))

    def id_of(self, finished: FinishedWork) -> str:
        """The same in every export; says nothing of the paragraphs, which a test must not tell."""
        name = f"{self._seed}\n{finished.submission}"
        return blake2b(name.encode(), digest_size=12).hexdigest()

    def _titles(self, query: str, k: int) -> list[str]:
        return [hit.title for hit in self._retriever.search(query, k)]

    def _found(self, query: str) -> list[dict[str, object]]:
        kept = (kept_paragraph(self._corpus.document(t)) for t in self._titles(query, 2 * FOUND))
        return [paragraph for paragraph in kept if paragraph["sentences"]][:FOUND]
