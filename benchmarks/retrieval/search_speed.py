"""Opening and searching a large corpus, this tree beside another one.

The corpus is HotpotQA's abstracts, --copies times under other titles. Each tree builds its own,
then they take turns in opening it and asking HotpotQA's questions, each time in a new process;
processor times, the median of the rounds. --other names a checkout, or its src folder.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.measure import Run, in_turns, size_of
from benchmarks.registry import command
from benchmarks.retrieval.abstracts import FULL_WIKI, abstracts, question_texts
from benchmarks.speed.before_after import THIS, Tree, source_of

COLUMNS = (
    *("tree", "documents", "passages", "build, s", "MB"),
    *("open and first query, ms", "a query, ms"),
)
BUILD = """
import json, sys
from pathlib import Path
from lacuna.corpus.store import Store
from lacuna.types import Document, Span

def documents():
    for copy in range(int(sys.argv[2])):
        for line in open(sys.argv[1]):
            title, text, sentences = json.loads(line)
            name = title if copy == 0 else f"{title} {copy}"
            yield Document(name, text, tuple(Span(*span) for span in sentences))

with Store.create(Path(sys.argv[3])) as store:
    with store.writer() as writer:
        writer.add(documents())
    print(len(store), store.info().passages)
"""
SEARCH = """
import json, sys, time
from pathlib import Path
from lacuna.corpus.store import Store
from lacuna.retrieve.bm25 import Bm25Retriever
questions = json.loads(sys.argv[2])
start = time.process_time()
search = Bm25Retriever(Store.open(Path(sys.argv[1])))
search.search(questions[0], 10)
opened = time.process_time()
for question in questions:
    search.search(question, 10)
print(json.dumps([opened - start, (time.process_time() - opened) / len(questions)]))
"""


def main(arguments: Sequence[str]) -> None:
    """Print a table."""
    parser = command("search-speed", __doc__)
    parser.add_argument("--other", type=Path, required=True, help="a checkout, or its src folder")
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    questions = json.dumps(question_texts(FULL_WIKI, options.questions))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        texts = folder / "abstracts.jsonl"
        with texts.open("w", encoding="utf-8") as file:
            for document in abstracts():
                fields = (document.title, document.text, document.sentences)
                file.write(json.dumps(fields) + "\n")
        print(f"| {' | '.join(COLUMNS)} |\n|---|{'---:|' * (len(COLUMNS) - 1)}")
        rows, searches = {}, {}
        for name, path in (("other", options.other), ("this", THIS)):
            tree = Tree(source_of(path), folder / name)
            tree.scratch.mkdir()
            tree.check()
            store = tree.scratch / "store"
            words = (sys.executable, "-c", BUILD, str(texts), str(options.copies), str(store))
            built = tree.run(*words)
            documents, passages = map(int, built.output.split())
            size = size_of(store) / 1e6
            rows[name] = f"{documents:,} | {passages:,} | {built.cpu:.0f} | {size:.0f}"
            searches[name] = partial(tree.run, sys.executable, "-c", SEARCH, str(store), questions)
        for name, runs in in_turns(options.rounds, searches).items():
            print(f"| {name} | {rows[name]} | {times(runs)} |")


def times(runs: Sequence[Run]) -> str:
    """The cells of both times."""
    figures = [json.loads(done.output) for done in runs]
    return " | ".join(f"{1000 * median(column):.2f}" for column in zip(*figures, strict=True))
