"""Processes that write a store are killed at any moment: nothing that was committed is lost."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lacuna.corpus.check import check_store
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.retrieve.bm25 import Bm25Retriever

Rounds = Callable[[], Iterator[random.Random]]
PAGES = 60
INDEX = """
    import sys
    from pathlib import Path
    from lacuna.corpus import writer
    from lacuna.corpus.refresh import refresh_source
    from lacuna.corpus.store import Store

    writer.BATCH_ITEMS = int(sys.argv[3])
    print("ready", flush=True)
    with Store.create(Path(sys.argv[2])) as store, store.writer() as open_writer:
        refresh_source(open_writer, Path(sys.argv[1]))
    print("done", flush=True)
"""


def text_of(number: int, version: int) -> str:
    links = f"[next](p{number + 1}.md) and [first](p0.md)"
    return f"# Page {number}\n\nIt is word{number} in version{version}. See {links}.\n"


def write(notes: Path, version: int, rng: random.Random) -> None:
    notes.mkdir(exist_ok=True)
    for number in range(PAGES):
        path = notes / f"p{number}.md"
        if version == 0 or rng.random() < 0.5:
            path.write_text(text_of(number, version))
    if version and rng.random() < 0.5:
        (notes / f"p{rng.randrange(1, PAGES)}.md").unlink()


def killed(notes: Path, folder: Path, rng: random.Random) -> None:
    arguments = [notes, folder, rng.choice((1, 7, 30, 5000))]
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(INDEX), *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    time.sleep(rng.random() ** 2 * 0.7)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def allowed(store: Store, notes: Path, before: dict[str, str]) -> None:
    """Each document is as it was before, or as its file is now."""
    now = {path.name: path.read_text() for path in notes.iterdir()}
    for document in store:
        assert document.origin is not None
        name = document.origin.file
        body = document.text.split("\n\n")[-1].split(" See ")[0]
        versions = [text for text in (before.get(name), now.get(name)) if text]
        assert any(body in text for text in versions), (name, document.text)
    kept = {document.origin.file for document in store if document.origin}
    assert before.keys() & now.keys() <= kept, "what was committed is still there"


def test_kills_while_a_folder_is_indexed_and_read_again(tmp_path: Path, rounds: Rounds) -> None:
    for count, rng in enumerate(rounds()):
        notes, folder = tmp_path / f"notes{count}", tmp_path / f"store{count}"
        before: dict[str, str] = {}
        for version in range(3):
            write(notes, version, rng)
            for _ in range(rng.randint(1, 2)):
                killed(notes, folder, rng)
                if not (folder / "documents.sqlite").exists():
                    continue
                with Store.create(folder) as store:
                    allowed(store, notes, before)
                    store.graph()
                    Bm25Retriever(store).search("word1")
                assert not check_store(folder, deep=True).problems
            with Store.create(folder) as store, store.writer() as writer:
                refresh_source(writer, notes)
            before = {path.name: path.read_text() for path in notes.iterdir()}
            with Store.open(folder) as store:
                assert {document.origin.file for document in store if document.origin} == set(
                    before
                )
                for document in store:
                    number = document.title.removeprefix("Page ")
                    hits = Bm25Retriever(store).search(f"word{number}")
                    assert [hit.title for hit in hits] == [document.title]
            checked = check_store(folder, deep=True)
            assert checked.is_sealed
            assert not checked.problems
