"""A corpus in an object store that answers slowly: opening it, and its first answers.

The demo and HotpotQA's abstracts lie in an S3 store on loopback (moto) that waits --latency before
every answer. Each round is a new process with an empty cache folder. It opens the corpus, which
loads the Python modules for that, too, and searches twice; another one opens it, loads the model
and asks two questions. The medians of the rounds are shown, by the clock, and how often the store
was asked in the last of these processes.

    python -m benchmarks remote-corpus --corpus demo --rounds 5
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.corpora.object_store import BUCKET, ObjectStore
from benchmarks.corpora.stores import ABSTRACTS, abstracts_folder
from benchmarks.registry import command
from lacuna.corpus.open import copy_corpus, open_store

COLUMNS = (
    *("corpus", "open, s", "first search, s", "search, ms", "model, s", "first answer, s"),
    *("from opening to it, s", "answer, s", "requests"),
)
QUESTIONS = {
    "demo": [
        "Who was the first governor of the bank that paid for the Skelder Light Railway?",
        "How high is Carrow Fell?",
    ],
    ABSTRACTS: [
        "Were Scott Derrickson and Ed Wood of the same nationality?",
        "What government position was held by the woman who portrayed Corliss Archer in the film "
        "Kiss and Tell?",
    ],
}
CHILD = """
import json, sys, time
from pathlib import Path
from lacuna.corpus.open import open_store
from lacuna.pipeline.open_corpus import pipeline_over
from lacuna.retrieve.bm25 import Bm25Retriever
first, second = json.loads(sys.argv[2])
times = [time.perf_counter()]
def lap():
    times.append(time.perf_counter())
store = open_store(Path(sys.argv[1]))
lap()
if sys.argv[3] == "search":
    search = Bm25Retriever(store)
    search.search(first)
    lap()
    search.search(second)
    lap()
else:
    pipeline = pipeline_over(store)
    lap()
    pipeline.ask(first)
    lap()
    pipeline.ask(second)
    lap()
print(json.dumps([after - before for before, after in zip(times, times[1:])]))
"""


def main(arguments: Sequence[str]) -> None:
    """Print a table."""
    parser = command("remote-corpus", __doc__)
    parser.add_argument("--latency", type=float, default=0.02, help="seconds; 0.02 unless given")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--corpus", action="append", choices=tuple(QUESTIONS))
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "lacuna-stores")
    options = parser.parse_args(arguments)
    print(f"| {' | '.join(COLUMNS)} |\n|---|{'---:|' * (len(COLUMNS) - 1)}")
    with ObjectStore() as server:
        os.environ.update(server.environment)
        for name in options.corpus or QUESTIONS:
            place = Path(f"s3://{BUCKET}/{name}")
            if name == ABSTRACTS:
                folder = abstracts_folder(options.work)
            else:
                with open_store() as store:
                    folder = store.derived
            copy_corpus(folder, place)
            with server.with_faults(latency=options.latency):
                rounds = range(options.rounds)
                searched = [_times(place, QUESTIONS[name], "search") for _ in rounds]
                asked = []
                for _ in rounds:
                    server.requests = 0
                    asked.append(_times(place, QUESTIONS[name], "ask"))
                requests = server.requests
            opened, first, later = (median(each) for each in zip(*searched, strict=True))
            _, model, answer, again = (median(each) for each in zip(*asked, strict=True))
            until = median(sum(each[:3]) for each in asked)
            cells = (
                *(f"{opened:.2f}", f"{first:.2f}", f"{1000 * later:.0f}", f"{model:.2f}"),
                *(f"{answer:.2f}", f"{until:.2f}", f"{again:.2f}", f"{requests}"),
            )
            print(f"| {name} | {' | '.join(cells)} |")


def _times(place: Path, questions: Sequence[str], how: str) -> list[float]:
    with tempfile.TemporaryDirectory() as cache:
        words = (sys.executable, "-c", CHILD, str(place), json.dumps(questions), how)
        done = subprocess.run(
            words,
            env={**os.environ, "LACUNA_CACHE": cache},
            capture_output=True,
            text=True,
            check=True,
        )
    times: list[float] = json.loads(done.stdout)
    return times
