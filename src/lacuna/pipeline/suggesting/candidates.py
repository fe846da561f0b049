"""Which questions to try: about a corpus, or to go on with after an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from lacuna.corpus.store import Store
from lacuna.pipeline.suggesting.candidate import CandidateQuestion
from lacuna.pipeline.suggesting.heading_questions import from_headings
from lacuna.pipeline.suggesting.sentence_questions import definitions, facts
from lacuna.pipeline.suggesting.task_questions import amounts, defaults, goals, means
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.text import content_stems
from lacuna.types import Document, Evidence, Span

Makes = Callable[[Document], Iterator[tuple[str, Span]]]
"""Makes questions from a document, each with what is to answer it."""
MADE: tuple[tuple[Makes, ...], ...] = (
    (facts,),
    (amounts, defaults, goals),
    (means, from_headings, definitions),
)
"""Those that are likeliest answered surely first; of one row, the most promising of any kind."""
LONGEST = 90
"""Characters of a question."""
EACH = 2
"""Questions of one kind about one document, so that several documents are spoken of."""
DOCUMENTS_SEEN = 2_000
"""Of a larger corpus, the first so many are looked at for what others link to."""
DOCUMENTS_READ = 80
FOUND_AMONG = 3
"""Passages; where a question does not lead to one of them, reading would not help."""
SAID_BESIDE = 3
"""Words that a sentence has beside those of its question, and that weigh as much as one of those:
what asks for much in few words is seldom answered surely."""


def candidates_of_corpus(store: Store) -> Iterator[CandidateQuestion]:
    """Questions about the documents that most others link to."""
    graph = store.graph()
    # By node: to look titles up one by one would be as many requests at an address.
    counts = graph.links.in_counts()[:DOCUMENTS_SEEN]
    nodes = np.argsort(-counts, kind="stable")  # else in the order of the corpus
    yield from _candidates(store, (graph.title(int(node)) for node in nodes))


def candidates_after(
    store: Store, asked: Iterable[str], quoted: Sequence[Evidence]
) -> Iterator[CandidateQuestion]:
    """Questions about the documents that an answer quotes, and about those that they link to.

    ``asked`` are the questions of the dialog; what was quoted need not be asked for again.
    """
    graph = store.graph()
    near = [title for title in dict.fromkeys(place.document for place in quoted) if title in store]
    linked = (other for title in near for other in graph.out_links(title))
    known = {question.casefold() for question in asked}
    for candidate in _candidates(store, dict.fromkeys([*near, *linked])):
        if not any(map(candidate.is_in, quoted)) and candidate.question.casefold() not in known:
            yield candidate


def _candidates(store: Store, titles: Iterable[str]) -> Iterator[CandidateQuestion]:
    """Questions of each row about each document in turn; each leads to its place."""
    there = (title for title in titles if title in store)
    documents = [store.document(title) for title in islice(there, DOCUMENTS_READ)]
    retriever = Bm25Retriever(store)
    seen: set[str] = set()
    for kinds in MADE:
        made = list(_made(documents, kinds))
        if len(kinds) > 1:
            made.sort(key=_promise, reverse=True)
        for candidate in made:
            if candidate.question.casefold() not in seen:
                seen.add(candidate.question.casefold())
                if _leads_there(candidate, store, retriever):
                    yield candidate


def _leads_there(candidate: CandidateQuestion, store: Store, retriever: Bm25Retriever) -> bool:
    """Whether the words of a question find its place, or another that says the same."""
    for hit in retriever.search(candidate.question, FOUND_AMONG):
        if candidate.is_in(Evidence(hit.title, hit.start, hit.end)):
            return True
        if candidate.says in " ".join(store.document(hit.title).text[hit.start : hit.end].split()):
            return True
    return False


def _made(documents: Sequence[Document], kinds: Sequence[Makes]) -> Iterator[CandidateQuestion]:
    for make in kinds:
        for document in documents:
            made = (one for one in make(document) if len(one[0]) <= LONGEST)
            for question, place in islice(made, EACH):
                says = " ".join(document.text[place.start : place.end].split())
                yield CandidateQuestion(question, document.title, place, says)


def _promise(candidate: CandidateQuestion) -> float:
    """How likely it is answered surely: it says much, and its place says little else."""
    asked = set(content_stems(candidate.question))
    beside = set(content_stems(candidate.says)) - asked
    return len(asked) - len(beside) / SAID_BESIDE
