"""Whatever a document does to the process that reads it costs that document."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lacuna.corpus.formats import isolation as reading
from lacuna.corpus.formats.base import DocumentFormat, get_format
from lacuna.corpus.formats.detect import open_source
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.isolation import (
    Ending,
    IsolatedReading,
    ProcessPool,
    ReadingProcess,
    parsed_items,
)
from lacuna.corpus.formats.plain import parse_plain
from lacuna.corpus.page import Page
from lacuna.corpus.page_builder import PageBuilder
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Skipped, Store
from lacuna.types import Document

HOSTILE = """
import os, sys, time
from lacuna.corpus.formats.base import DocumentFormat
from lacuna.corpus.formats.plain import parse_plain

def parse(entry):
    match entry.data:
        case b"spin":
            while True:
                pass
        case b"hog":
            bytearray(1 << 40)
        case b"sleep":
            time.sleep(1000)
        case b"crash":
            os.kill(os.getpid(), 11)
        case b"leave":
            raise SystemExit
        case b"raise":
            raise ValueError("this is odd")
        case b"print":
            print("hello from the parser", flush=True)
            os.write(1, b"hello again")
        case b"which":
            entry = type(entry)(entry.name, str(os.getpid()).encode())
    yield from parse_plain(entry)

FORMAT = DocumentFormat("hostile", parse=parse, suffixes=(".hostile",), seconds=0.5)
"""


@pytest.fixture(autouse=True)
def pool(monkeypatch: pytest.MonkeyPatch) -> ProcessPool:
    """Processes of this test alone."""
    fresh = ProcessPool()
    monkeypatch.setattr(reading, "_pool", fresh)
    return fresh


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DocumentFormat:
    """A format of another package, whose parser does what a document says."""
    package = tmp_path / "packages"
    about = package / "hostile-1.0.dist-info"
    about.mkdir(parents=True)
    (package / "hostile_format.py").write_text(HOSTILE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: hostile\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[lacuna.formats]\nhostile = hostile_format:FORMAT\n")
    monkeypatch.syspath_prepend(str(package))
    return get_format("hostile")


def read(known: DocumentFormat, data: bytes) -> str:
    """The text of the one page, or why there is none."""
    (item,) = IsolatedReading(known, Entry("a.hostile", data)).items()
    return item.reason if isinstance(item, Skipped) else item.document.text


def test_documents_are_read_in_one_other_process(hostile: DocumentFormat) -> None:
    first, second = read(hostile, b"which"), read(hostile, b"which")
    assert first == second != str(os.getpid())


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"spin", "takes too long"),
        (b"sleep", "takes too long"),
        (b"crash", "ended the process"),
        (b"leave", "ended the process"),
        (b"hog", "too much memory"),
        (b"raise", "ValueError: this is odd"),
    ],
)
def test_a_hostile_document_costs_itself(hostile: DocumentFormat, data: bytes, reason: str) -> None:
    assert read(hostile, b"Before.") == "Before."
    assert reason in read(hostile, data)
    assert read(hostile, b"After.") == "After."


def test_what_a_parser_prints_is_no_reply(hostile: DocumentFormat) -> None:
    assert read(hostile, b"print") == "print"
    assert read(hostile, b"After.") == "After."


def test_a_folder_with_hostile_documents_keeps_its_order(
    hostile: DocumentFormat, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, data in enumerate(["One.", "spin", "Two.", "crash", "Three.", "hog", "raise"]):
        (folder / f"{number}.hostile").write_text(data)
    items = list(open_source(folder))
    assert [item.text for item in items if isinstance(item, Document)] == ["One.", "Two.", "Three."]
    assert [item.where for item in items if isinstance(item, Skipped)] == [
        f"{number}.hostile" for number in (1, 3, 5, 6)
    ]
    with Store.create(tmp_path / "store") as store, store.writer() as writer:
        added = refresh_source(writer, folder)
        assert (added.documents, added.skipped) == (3, 4)


def test_a_process_that_was_ended_meanwhile_is_replaced(hostile: DocumentFormat) -> None:
    os.kill(int(read(hostile, b"which")), signal.SIGKILL)
    assert read(hostile, b"After.") == "After."


def test_a_reply_that_is_asked_for_late_is_there(hostile: DocumentFormat) -> None:
    """Whoever began the reading may be busy for longer than the document may take."""
    begun = IsolatedReading(hostile, Entry("a.hostile", b"Long ago. " * 100_000))
    threading.Event().wait(2.5)
    (item,) = begun.items()
    assert not isinstance(item, Skipped)


def test_a_reading_that_nobody_wants_is_ended(hostile: DocumentFormat) -> None:
    begun = IsolatedReading(hostile, Entry("a.hostile", b"spin"))
    process = begun._process
    assert process is not None
    begun.abandon()
    assert not process.is_alive


def test_a_document_that_nobody_waits_for_ends_by_itself(hostile: DocumentFormat) -> None:
    """Whoever began the reading may have been ended in the meantime."""
    process = ReadingProcess()
    process.begin(hostile.name, Entry("a.hostile", b"spin"), 0.1)
    for _ in range(600):
        if not process.is_alive:
            break
        threading.Event().wait(0.1)
    assert not process.is_alive
    assert process.result() is Ending.SLOW


def test_a_format_of_this_process_alone_is_read_here() -> None:
    ours = DocumentFormat("ours", parse=parse_plain)
    assert read(ours, b"Only here.") == "Only here."


def test_half_a_surrogate_pair_is_replaced_sign_by_sign() -> None:
    data = b'{"cells": [{"cell_type": "markdown", "source": ["# A\\n\\nHalf \\ud83d here."]}]}'
    (item,) = IsolatedReading(get_format("notebook"), Entry("a.ipynb", data)).items()
    assert not isinstance(item, Skipped)
    assert item.document.text == "Half ? here."


def test_whatever_a_parser_gives_is_cleaned_and_offsets_hold() -> None:
    def parse(entry: Entry) -> Iterator[Page | Skipped]:
        builder = PageBuilder("Tides\0")
        builder.open_heading(1)
        builder.add("Low\x1b[2J")
        builder.end_block()
        builder.add("At\x08 dawn ")
        builder.open_written("b\0.md")
        builder.add("the \udc80boat")
        builder.close_link()
        builder.add_verbatim("\f sails\x85\tout\r\nto sea.")
        yield builder.page(
            entry.name, names=["a\x7f"], labels=[("l\0", "l")], extra={"k": ["\x9f"]}
        )
        yield Skipped("b", "byte \0 is wrong")

    page, skipped = parsed_items(parse, Entry("a\x01.ours", b""))
    assert isinstance(page, Page)
    document = page.document
    assert page.file == "a\x01.ours"  # by which a store knows what to take out
    assert document.title == "Tides\ufffd"
    assert document.text == "Low\ufffd[2J\n\nAt\ufffd dawn the ?boat  sails \tout\nto sea."
    (link,) = page.links
    assert document.text[link.start : link.end] == "the ?boat"
    assert link.target == "b\ufffd.md"
    assert document.sections[1].path == ("Tides\ufffd", "Low\ufffd[2J")
    assert (page.names, page.labels) == (("a\ufffd",), (("l\ufffd", "l"),))
    assert document.extra == {"k": ["\ufffd"]}
    assert skipped == Skipped("b", "byte \ufffd is wrong")


def test_several_threads_have_several_processes() -> None:
    texts: dict[int, str] = {}

    def one(number: int) -> None:
        texts[number] = read(get_format("text"), f"Text {number}.".encode())

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == {number: f"Text {number}." for number in range(4)}


def test_a_process_ends_with_the_one_that_started_it() -> None:
    program = (
        "import os, sys\n"
        "from lacuna.corpus.formats.isolation import ReadingProcess\n"
        "process = ReadingProcess()\n"
        "print(process._process.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    pid = int(done.stdout)
    for _ in range(100):
        if not _runs(pid):
            return
        threading.Event().wait(0.1)
    pytest.fail("it is still there")


def _runs(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_what_lies_in_the_current_folder_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json.py", "signal.py", "lacuna.py"):
        (tmp_path / name).write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    assert read(get_format("text"), b"All is well.") == "All is well."


def test_a_process_is_fresh_until_it_has_read() -> None:
    process = ReadingProcess()
    assert process.is_fresh
    process.begin("text", Entry("a.txt", b"One."), 10)
    assert isinstance(process.result(), list)
    assert not process.is_fresh
    process.close()
