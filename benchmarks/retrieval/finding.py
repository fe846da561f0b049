"""Real questions: does the sentence that answers stand in the first passages that are found?

A passage is 800 characters of its document, around the middle of the hit. ``any`` asks for one of
the sentences that a question needs, ``all`` for all of them (55 of the 211 questions need two).
LACUNA_REAL names the folder with the questions, LACUNA_DATA the one with the Schools Wikipedia.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing

from benchmarks.baselines.passage_engines import bm25s_search, fts5_search
from benchmarks.registry import command
from benchmarks.retrieval.real_questions import (
    RealQuestion,
    add_collection_options,
    answerable_questions,
    collection,
)
from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hybrid import HybridRetriever

CUTS = (1, 5, 10, 20)
WIDTH = 800
Place = tuple[str, int, int]
"""Title, start and end of a hit."""
Search = Callable[[str, int], Iterable[Place]]
Ranks = tuple[float, float]
"""Where the first and the last of the sentences are found, from 0; infinite if they are not."""


def main(arguments: Sequence[str]) -> None:
    """Print a table of the engines, and one of the collections."""
    parser = command("finding", __doc__)
    add_collection_options(parser)
    parser.add_argument("--alone", action="store_true", help="without the other engines")
    options = parser.parse_args(arguments)
    questions = answerable_questions()
    engines = ENGINES if not options.alone else {"lacuna": lacuna_search}
    found: dict[str, dict[str, list[Ranks]]] = {engine: {} for engine in engines}
    for corpus in options.corpus or dict.fromkeys(question.corpus for question in questions):
        asked = [question for question in questions if question.corpus == corpus]
        with closing(collection(corpus, options.work)) as store:
            for engine, opened in engines.items():
                search = opened(store)
                found[engine][corpus] = [ranks(question, search, store) for question in asked]
    print(table("engine", {e: [r for c in by.values() for r in c] for e, by in found.items()}))
    print(table("collection", found["lacuna"]))


def ranks(question: RealQuestion, search: Search, store: EmbeddedStore) -> Ranks:
    """Where the sentences of a question are found."""
    shown = []
    for title, start, end in search(question.text, max(CUTS)):
        text = store.document(title).text
        begin, stop = around(start, end, len(text))
        shown.append(text[begin:stop])
    places = [
        next((place for place, text in enumerate(shown) if sentence.is_in(text)), float("inf"))
        for sentence in question.evidence
    ]
    return min(places), max(places)


def around(start: int, end: int, size: int) -> tuple[int, int]:
    """The 800 characters around the middle of a hit; less only where the text is shorter.

    >>> around(0, 10, 1000), around(500, 2500, 3000), around(990, 1000, 1000)
    ((0, 800), (1100, 1900), (200, 1000))
    """
    begin = max(0, min((start + end - WIDTH) // 2, size - WIDTH))
    return begin, min(begin + WIDTH, size)


def table(what: str, found: dict[str, list[Ranks]]) -> str:
    """The share of questions, in %, by row."""
    heads = [f"{kind} @{cut}" for kind in ("any", "all") for cut in CUTS]
    lines = [f"| {what} | questions | {' | '.join(heads)} |", f"|---|{'---:|' * (len(heads) + 1)}"]
    for name, each in found.items():
        shares = [
            f"{100 * sum(question[kind] < cut for question in each) / len(each):.1f}"
            for kind in (0, 1)
            for cut in CUTS
        ]
        lines.append(f"| {name} | {len(each)} | {' | '.join(shares)} |")
    return "\n".join((*lines, ""))


def lacuna_search(store: EmbeddedStore) -> Search:
    """This library."""
    retriever = Bm25Retriever(store)
    return lambda query, k: ((hit.title, hit.start, hit.end) for hit in retriever.search(query, k))


def hybrid_search(store: EmbeddedStore) -> Search:
    """BM25's first passages ranked again by likeness."""
    retriever = HybridRetriever(store)
    return lambda query, k: ((hit.title, hit.start, hit.end) for hit in retriever.search(query, k))


ENGINES: dict[str, Callable[[EmbeddedStore], Search]] = {
    "lacuna": lacuna_search,
    "lacuna, hybrid": hybrid_search,
    "bm25s": bm25s_search,
    "SQLite FTS5": fts5_search,
}
