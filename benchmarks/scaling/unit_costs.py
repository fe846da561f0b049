"""What a corpus of one size costs: each step in a process of its own, in processor seconds."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measure import run, run_python, size_of

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
import json, time
from pathlib import Path
from lacuna.corpus.open import open_store
from lacuna.retrieve.bm25 import Bm25Retriever
questions = json.loads({questions!r})
start = time.process_time()
store = open_store({address!r})
search = Bm25Retriever(store)
search.search(questions[0], 10)
opened = time.process_time() - start
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
    dump: Path, store: str, scratch: Path, questions: list[str], read: list[str]
) -> UnitCosts:
    """Parse, index, open, search and read a dump, in a store of this kind."""
    folder = scratch / "corpus"
    shutil.rmtree(folder, ignore_errors=True)
    address = folder.as_uri() if store == "lance" else str(folder)
    parsed, _ = run_python(PARSE.format(path=str(dump)))
    indexing = [sys.executable, "-m", "lacuna", "index", str(dump), "--out", address]
    watched = f"import subprocess, resource; subprocess.run({indexing!r}, check=True, "
    watched += "capture_output=True); used = resource.getrusage(resource.RUSAGE_CHILDREN); "
    watched += "print(used.ru_maxrss / 1024)"
    indexed = run([sys.executable, "-c", watched])
    asked = json.dumps(questions)
    searched, _ = run_python(SEARCH.format(address=address, questions=asked))
    documents, passages, opened, search = json.loads(searched.output.splitlines()[0])
    reading: list[float] = []
    if read:
        done, _ = run_python(READ.format(address=address, questions=json.dumps(read)))
        reading = json.loads(done.output.splitlines()[0])
    in_index = sum(size_of(part) for name in INDEXES for part in folder.rglob(name))
    return UnitCosts(
        store=store,
        documents=documents,
        passages=passages,
        parse=parsed.cpu,
        index=indexed.cpu - parsed.cpu,
        megabytes=float(indexed.output),
        source_bytes=dump.stat().st_size,
        document_bytes=size_of(folder) - in_index,
        index_bytes=in_index,
        open=opened,
        search=search,
        read=reading,
    )
