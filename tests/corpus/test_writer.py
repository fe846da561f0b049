import os
import resource
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.store import Store
from lacuna.corpus.text_index import IndexWriter
from lacuna.corpus.writer import Writer
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.types import Document, Link


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    return Store.create(tmp_path / "store")


def pages(count: int, words: int = 30) -> Iterator[Document]:
    for number in range(count):
        text = f"number{number} " + "filler " * words
        yield Document(f"Page {number}", text, links=(Link(0, 1, f"Page {number + 1}"),))


def assert_consistent(folder: Path) -> int:
    """Documents, index and graph tell the same story; returns how many documents there are."""
    with Store.open(folder) as store:
        titles = list(store.titles())
        assert [document.title for document in store] == titles
        search = Bm25Retriever(store)
        for title in {*titles[:3], *titles[-3:]}:
            (hit,) = search.search(title.replace("Page ", "number"), 5)
            assert hit.title == title
        assert not search.search(f"number{len(titles)}")
        assert len(store.graph()) == len(titles)
        if len(titles) > 1:
            assert store.graph().out_links(titles[0]) == [titles[1]]
            assert store.graph().dangling(titles[-1]) == [f"Page {len(titles)}"]
    return len(titles)


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


ADD_FOREVER = """
    import sys
    from pathlib import Path
    from lacuna.corpus import writer
    from lacuna.corpus.store import Store
    from lacuna.types import Document, Link

    writer.BATCH_ITEMS = 50

    def pages():
        for number in range(100_000):
            text = f"number{number} " + "filler " * 30
            yield Document(f"Page {number}", text, links=(Link(0, 1, f"Page {number + 1}"),))

    with Store.open(Path(sys.argv[1])).writer() as open_writer:
        print("ready", flush=True)
        open_writer.add(pages(), source="pages")
"""


@pytest.mark.parametrize("after", [0.05, 0.2, 0.35, 0.7])
def test_a_killed_run_keeps_its_commits_and_goes_on(store: EmbeddedStore, after: float) -> None:
    process = start(ADD_FOREVER, store.folder)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    while len(store) == 0:
        time.sleep(0.005)
    time.sleep(after)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    kept = assert_consistent(store.folder)
    assert kept > 0
    assert kept % 50 == 0
    with store.writer() as again:
        assert not again.sources.is_finished("pages", "")
        added = again.add(pages(kept + 20), source="pages")
        assert again.sources.is_finished("pages", "")
    assert (added.before, added.documents) == (kept, 20)
    assert assert_consistent(store.folder) == kept + 20


def remove_and_add(writer: Writer) -> None:
    writer.remove("Page 4")
    writer.add([*pages(4), Document("Late", "zebra")])


@pytest.mark.parametrize("step", ["replace", "after"])
def test_death_between_database_and_index_is_mended(
    store: EmbeddedStore, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.writer() as writer:
        writer.add(pages(5))
    original = IndexWriter.replace

    def die(self: IndexWriter, gone: object, fresh: object) -> None:
        if step == "after":
            original(self, gone, fresh)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(IndexWriter, "replace", die)
    dying = store.writer()
    with pytest.raises(KeyboardInterrupt), dying:
        remove_and_add(dying)
    monkeypatch.undo()
    search = Bm25Retriever(store)
    assert [hit.title for hit in search.search("zebra")] == ["Late"]
    assert [hit.title for hit in search.search("number3")] == ["Page 3"]
    assert not search.search("number4")


def test_an_index_that_was_deleted_is_made_again(store: EmbeddedStore) -> None:
    import shutil

    with store.writer() as writer:
        writer.add(pages(10))
    shutil.rmtree(store.folder / "index")
    assert assert_consistent(store.folder) == 10


def test_what_a_killed_writer_left_of_the_index_is_in_nobody_s_way(store: EmbeddedStore) -> None:
    import json

    with store.writer() as writer:
        writer.add(pages(5))
    (store.folder / "checksums.json").unlink()
    index = store.folder / "index"
    meta = json.loads((index / "meta.json").read_text())
    segment = meta["segments"][0]["segment_id"].replace("-", "")
    # Killed after the note of what is deleted was written, and before the index took it in.
    left = [f"{segment}.{meta['opstamp'] + more}.del" for more in range(9)]
    for name in left:
        (index / name).write_bytes(b"left")
    managed = json.loads((index / ".managed.json").read_text())
    (index / ".managed.json").write_text(json.dumps([*managed, *left]))
    with store.writer() as writer:
        writer.remove("Page 4")
    assert assert_consistent(store.folder) == 4


ADD_UNDER_A_LIMIT = """
    import resource, signal, sys
    from pathlib import Path
    from lacuna.corpus import writer
    from lacuna.corpus.store import Store
    from lacuna.errors import LacunaError
    from lacuna.types import Document, Link
    import random

    writer.BATCH_ITEMS = 50
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
    noise = random.Random(0)

    def pages():
        for number in range(5000):
            text = f"number{number} " + " ".join(str(noise.random()) for _ in range(100))
            yield Document(f"Page {number}", text, links=(Link(0, 1, f"Page {number + 1}"),))

    try:
        with Store.open(Path(sys.argv[1])).writer() as open_writer:
            open_writer.add(pages(), source="pages")
    except LacunaError as error:
        print(error)
        sys.exit(2)
"""


@pytest.mark.parametrize("limit", [700_000, 1_500_000, 3_000_000])
def test_files_that_may_not_grow_leave_a_usable_store(store: EmbeddedStore, limit: int) -> None:
    process = start(ADD_UNDER_A_LIMIT, store.folder, limit)
    output, errors = process.communicate()
    assert process.returncode == 2, errors
    assert "could not be written" in output
    kept = assert_consistent(store.folder)
    assert kept % 50 == 0
    with store.writer() as writer:
        writer.add(pages(kept + 5))
    assert assert_consistent(store.folder) == kept + 5


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_leaves_a_usable_store(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk may not be mounted here")
    try:
        with Store.create(disk / "store") as store:
            process = start(ADD_UNDER_A_LIMIT, store.folder, resource.RLIM_INFINITY)
            output, errors = process.communicate()
            assert process.returncode == 2, errors
            assert "full" in output
            kept = len(list(store))
            Bm25Retriever(store).search("number0")
            subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
            assert assert_consistent(store.folder) == kept
            assert Bm25Retriever(store).behind == 0
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_second_writer_is_refused_and_readers_are_not(store: EmbeddedStore) -> None:
    code = """
        import sys
        from pathlib import Path
        from lacuna.corpus.store import Store
        with Store.open(Path(sys.argv[1])).writer():
            print("ready", flush=True)
            sys.stdin.read()
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(store.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    expected = f"being written by another process \\(process {process.pid}\\)"
    with pytest.raises(LacunaError, match=expected), store.writer():
        pass
    with Store.open(store.folder) as one, Store.open(store.folder) as other:
        assert list(one) == list(other) == []
    process.kill()
    process.communicate()
    with store.writer() as writer:
        writer.add(pages(1))
    assert len(store) == 1


def test_readers_see_only_what_is_committed(store: EmbeddedStore) -> None:
    search = Bm25Retriever(store)
    with store.writer() as writer:
        writer.add(pages(2))
        assert search.search("number1")[0].title == "Page 1"
        writer.remove("Page 1")
        assert len(store) == 2
    assert len(store) == 1
    assert not search.search("number1")


def test_an_error_in_the_block_drops_the_batch_under_way(store: EmbeddedStore) -> None:
    def broken() -> Iterator[Document]:
        yield from pages(3)
        raise ValueError("broken source")

    with pytest.raises(ValueError, match="broken source"), store.writer() as writer:
        writer.add(broken())
    assert len(store) == 0


def test_progress_ends_with_the_whole_count(store: EmbeddedStore) -> None:
    seen: list[int] = []
    with store.writer() as writer:
        writer.add(pages(250), progress=lambda added: seen.append(added.items))
    assert seen == [100, 200, 250]


def test_a_reader_that_looks_while_the_index_is_behind_looks_again(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.writer() as writer:
        writer.add(pages(2))
    search = Bm25Retriever(store)
    original = IndexWriter.replace
    seen = []

    def look_first(self: IndexWriter, gone: object, fresh: object) -> None:
        seen.append(search.search("zebra"))
        original(self, gone, fresh)  # type: ignore[arg-type]

    monkeypatch.setattr(IndexWriter, "replace", look_first)
    with store.writer() as writer:
        writer.add([Document("Late", "zebra")])
    assert seen == [[]]
    assert [hit.title for hit in search.search("zebra")] == ["Late"]


def test_what_a_changed_source_no_longer_has_is_taken_out(store: EmbeddedStore) -> None:
    with store.writer() as writer:
        writer.add(pages(3), source="dump", state="monday")
        writer.add([Document("Mine", "zebra")])
    with store.writer() as writer:
        added = writer.add(pages(1), source="dump", state="tuesday")
    assert (added.replaced, added.removed) == (1, 2)
    assert sorted(store.titles()) == ["Mine", "Page 0"]
