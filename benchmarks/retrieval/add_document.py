"""How long it takes to add one document to a store that has all abstracts, and to find it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.registry import command
from benchmarks.retrieval.abstracts import store_of_abstracts
from lacuna.corpus.store import Store
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document

ROUNDS = 5


def main(arguments: Sequence[str]) -> None:
    """Print a table."""
    command("add-document", __doc__).parse_args(arguments)
    with store_of_abstracts() as store:
        opening, adding, finding = [], [], []
        for number in range(ROUNDS):
            start = time.perf_counter()
            with Store.open(store.derived) as reader:
                search = Bm25Retriever(reader)
                opened = time.perf_counter()
                with store.writer() as writer:
                    writer.add([Document(f"New page {number}", f"zyxword{number} is here.")])
                added = time.perf_counter()
                (hit,) = search.search(f"zyxword{number}")
                finding.append(time.perf_counter() - added)
            assert hit.title == f"New page {number}"
            opening.append(opened - start)
            adding.append(added - opened)
    print(f"| step | ms, best of {ROUNDS} |\n|---|---:|")
    print(f"| open store and index | {1000 * min(opening):.1f} |")
    print(f"| open a writer, add a document, commit, graph anew | {1000 * min(adding):.0f} |")
    print(f"| find it in a reader opened before | {1000 * min(finding):.1f} |")
