"""How long it takes to add one document to a store that has all abstracts, and to find it.

LACUNA_DATA=… python benchmarks/add_one.py
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from abstracts import abstracts

from lacuna.corpus.store import Store
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document

TIMES = 5


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.create(Path(folder) / "store")
        with store.writer() as writer:
            writer.add(abstracts())
        opening, adding, finding = [], [], []
        for number in range(TIMES):
            start = time.perf_counter()
            with Store.open(store.folder) as reader:
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
    print("| step | ms, best of 5 |\n|---|---:|")
    print(f"| open store and index | {1000 * min(opening):.1f} |")
    print(f"| open a writer, add a document, commit, graph anew | {1000 * min(adding):.0f} |")
    print(f"| find it in a reader opened before | {1000 * min(finding):.1f} |")


if __name__ == "__main__":
    main()
