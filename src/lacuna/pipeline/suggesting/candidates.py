"""Which questions to try: about a corpus, or to go on with after an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from lacuna.corpus.store import Store
from lacuna.pipeline.suggesting.candidate import CandidateQuestion
from lacuna.pipeline.suggesting.heading_questions import from_headings
from lacuna.pipeline.suggesting.sentence_questions import (
    definitions,
    facts,
    instructions,
)
from lacuna.types import Evidence

MADE = (facts, instructions, from_headings, definitions)
"""The surest to be answered first."""
LONGEST = 90
"""Characters of a question."""
EACH = 2
"""Questions of one kind about one document, so that several documents are spoken of."""
DOCUMENTS_SEEN = 2_000
"""Of a larger corpus, the first so many are looked at for what others link to."""
DOCUMENTS_READ = 40


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
    """Questions of the surest kind about each document in turn, then those of the next."""
    there = (title for title in titles if title in store)
    documents = [store.document(title) for title in islice(there, DOCUMENTS_READ)]
    seen: set[str] = set()
    for make in MADE:
        for document in documents:
            made = (one for one in make(document) if len(one[0]) <= LONGEST)
            for question, place in islice(made, EACH):
                if question.casefold() not in seen:
                    seen.add(question.casefold())
                    says = " ".join(document.text[place.start : place.end].split())
                    yield CandidateQuestion(question, document.title, place, says)
