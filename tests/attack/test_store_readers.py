"""Many read while one writes and commits often: opening never fails, nothing is half there."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lacuna.corpus.store import Store
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hotpotqa import HotpotRetriever
from lacuna.types import Document, Link

Rounds = Callable[[], Iterator[random.Random]]
READ = """
    import sys, time
    from pathlib import Path
    from lacuna.corpus.store import Store
    from lacuna.retrieve.bm25 import Bm25Retriever
    from lacuna.retrieve.hotpotqa import HotpotRetriever

    opened, end = 0, time.monotonic() + float(sys.argv[2])
    while time.monotonic() < end:
        with Store.open(Path(sys.argv[1])) as store:
            graph = store.graph()
            assert graph.out_links("Page 0") == ["Page 1"]
            assert graph.link_count() >= 1
            assert Bm25Retriever(store).search("word0")[0].title == "Page 0"
            assert HotpotRetriever(store).search("word0")[0].title == "Page 0"
        opened += 1
    print(opened)
"""


def pages(first: int, count: int) -> Iterator[Document]:
    for number in range(first, first + count):
        links = (Link(0, 2, f"Page {number + 1}"),)
        yield Document(f"Page {number}", f"It is word{number} here.", links=links)


def write_until(folder: Path, ended: threading.Event, rng: random.Random) -> None:
    first = 2
    with Store.open(folder) as store:
        while not ended.is_set():
            with store.writer() as writer:
                for _ in range(rng.randint(1, 4)):
                    writer.add(pages(first, 2))
                    writer.commit()
                    first += 2


def test_opening_while_another_process_commits(tmp_path: Path, rounds: Rounds) -> None:
    for count, rng in enumerate(rounds()):
        folder = tmp_path / f"store{count}"
        with Store.create(folder) as store, store.writer() as writer:
            writer.add(pages(0, 2))
        ended = threading.Event()
        writing = threading.Thread(target=write_until, args=(folder, ended, rng))
        writing.start()
        readers = [
            subprocess.Popen(
                [sys.executable, "-c", textwrap.dedent(READ), str(folder), "3"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(3)
        ]
        outcomes = [(*reader.communicate(), reader.returncode) for reader in readers]
        ended.set()
        writing.join()
        for opened, errors, code in outcomes:
            assert code == 0, errors
            assert int(opened) > 0
        left = [path.name for path in folder.iterdir() if ".part-" in path.name]
        assert not left


def test_threads_that_share_a_store(tmp_path: Path, rounds: Rounds) -> None:
    folder = tmp_path / "store"
    with Store.create(folder) as store, store.writer() as writer:
        writer.add(pages(0, 2))
    problems: list[BaseException] = []

    def read(store: Store, end: float) -> None:
        try:
            search = Bm25Retriever(store)
            while time.monotonic() < end:
                assert store.graph().out_links("Page 0") == ["Page 1"]
                assert search.search("word0")[0].title == "Page 0"
                assert HotpotRetriever(store).search("word0")
        except BaseException as problem:
            problems.append(problem)
            raise

    for rng in rounds():
        ended = threading.Event()
        writing = threading.Thread(target=write_until, args=(folder, ended, rng))
        with Store.open(folder) as shared:
            end = time.monotonic() + 2
            readers = [threading.Thread(target=read, args=(shared, end)) for _ in range(4)]
            for thread in (writing, *readers):
                thread.start()
            for thread in readers:
                thread.join()
            ended.set()
            writing.join()
        assert not problems
