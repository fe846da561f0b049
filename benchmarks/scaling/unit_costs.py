"""What a corpus of one size costs: each step in a process of its own, in processor seconds."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measure import Run, run, run_python, size_of

CORPUS, TABLES = "corpus", "tables"
"""What is left in a folder: the embedded store, and Lance's tables."""
INDEXES = ("index", "_indices")
"""Folders of a store that hold its text index; what is left are documents, links and titles."""
PARSE = """
import sys
from pathlib import Path
from lacuna.corpus.formats.detect import detect_source
path = Path({path!r})
read = detect_source(path, None).dump.read
print(sum(1 for _ in read(path)))
"""
SEARCH = """
import json, threading, time
from lacuna.corpus.open import open_store
from lacuna.retrieve.bm25 import Bm25Retriever
questions, before = json.loads({questions!r})
start = time.process_time()
store = open_store({address!r})
search = Bm25Retriever(store)
search.search(questions[0], 10)
opened = time.process_time() - start
for question in before:
    search.search(question, 10)
for thread in threading.enumerate():  # what a store copies for those who search often
    if thread is not threading.current_thread() and not thread.daemon:
        thread.join()
seconds = []
for question in questions:
    start = time.process_time()
    search.search(question, 10)
    seconds.append(time.process_time() - start)
info = store.info()
print(json.dumps([info.documents, info.passages, opened, seconds]))
"""
READ = """
import json, time
import lacuna
questions = json.loads({questions!r})
pipeline = lacuna.open_corpus({address!r}, threads=1)
pipeline.ask(questions[0])
seconds = []
for question in questions:
    start = time.process_time()
    result = pipeline.ask(question)
    seconds.append(time.process_time() - start)
print(json.dumps(seconds))
"""


@dataclass(frozen=True)
class UnitCosts:
    """One measurement; times are processor seconds of all threads."""

    store: str
    documents: int
    passages: int
    parse: float
    index: float
    """Beyond parsing: storing, the text index, the link graph."""
    megabytes: float
    """The most memory that indexing held."""
    source_bytes: int
    document_bytes: int
    index_bytes: int
    open: float
    search: list[float] = field(default_factory=list)
    """Of each question."""
    read: list[float] = field(default_factory=list)
    """The same from the question to its answer, searching included."""

    def as_json(self) -> dict[str, Any]:
        """For a file that keeps measurements."""
        return asdict(self)


def measure(
    dump: Path,
    stores: Sequence[str],
    scratch: Path,
    questions: list[str],
    read: list[str],
    before: Sequence[str] = (),
) -> list[UnitCosts]:
    """Parse, index, open, search and read a dump, in stores of these kinds.

    It is indexed once, into a folder, while it is parsed in another process. Lance's tables are
    copied from there, as ``lacuna index`` does it, too.
    """
    folder, tables = scratch / CORPUS, scratch / TABLES
    for place in (folder, tables):
        shutil.rmtree(place, ignore_errors=True)
    with ThreadPoolExecutor(2) as both:
        parsing = both.submit(run_python, PARSE.format(path=str(dump)))
        indexing = both.submit(_lacuna, "index", str(dump), "--out", str(folder))
        parsed, indexed = parsing.result()[0], indexing.result()
    costs = []
    for store in stores:
        place, address = folder, str(folder)
        cpu, megabytes = indexed.cpu, float(indexed.output)
        if store == "lance":
            place, address = tables, tables.as_uri()
            copied = _lacuna("corpus", "copy", str(folder), address)
            cpu, megabytes = cpu + copied.cpu, max(megabytes, float(copied.output))
        asked = json.dumps([questions, list(before)])
        searched, _ = run_python(SEARCH.format(address=address, questions=asked))
        documents, passages, opened, search = json.loads(searched.output.splitlines()[0])
        reading: list[float] = []
        if read:
            done, _ = run_python(READ.format(address=address, questions=json.dumps(read)))
            reading = json.loads(done.output.splitlines()[0])
        in_index = sum(size_of(part) for name in INDEXES for part in place.rglob(name))
        costs.append(
            UnitCosts(
                store=store,
                documents=documents,
                passages=passages,
                parse=parsed.cpu,
                index=cpu - parsed.cpu,
                megabytes=megabytes,
                source_bytes=dump.stat().st_size,
                document_bytes=size_of(place) - in_index,
                index_bytes=in_index,
                open=opened,
                search=search,
                read=reading,
            )
        )
    return costs


def _lacuna(*words: str) -> Run:
    """A command, which prints the most memory that it held."""
    command = [sys.executable, "-m", "lacuna", *words]
    watched = f"import subprocess, resource; subprocess.run({command!r}, check=True, "
    watched += "capture_output=True); used = resource.getrusage(resource.RUSAGE_CHILDREN); "
    watched += "print(used.ru_maxrss / 1024)"
    return run([sys.executable, "-c", watched])
