"""What passages cost, how that grows, and what sizes would take that nobody has measured.

Wikis of each size (pages; one has 1.46 passages) are made of HotpotQA's abstracts, indexed,
searched and asked with HotpotQA's questions; times are processor seconds, of one thread where there
is a choice. --keep names a file that measurements are added to: a size that is in it as often as
--rounds says is not measured again, so that a run can be stopped and gone on with.

    python -m benchmarks scaling --stores embedded lance --keep scaling.jsonl
    python -m benchmarks scaling --stores embedded lance --keep scaling.jsonl --rounds 1 \
        --read 10 --sizes 10000 100000 687000                  # up to a million passages
    python -m benchmarks scaling --keep scaling.jsonl --rounds 0  # the tables of what is kept

With --work, the corpora of each size stay there, and `stores --corpus FOLDER` compares them.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.registry import command
from benchmarks.retrieval.abstracts import FULL_WIKI, question_texts
from benchmarks.scaling.made_corpus import MadeCorpus
from benchmarks.scaling.report import report
from benchmarks.scaling.unit_costs import UnitCosts, measure

STORES = ("embedded", "lance")
BEFORE = 120
"""Questions asked before searches are timed, so that a store has copied what it copies."""


def main(arguments: Sequence[str]) -> None:
    """Measure what is missing, and print the tables."""
    parser = command("scaling", __doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES[:1])
    parser.add_argument("--questions", type=int, default=200, help="that are searched for")
    parser.add_argument("--read", type=int, default=20, help="questions that are answered too")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--keep", type=Path, required=True, help="the file of measurements")
    parser.add_argument("--work", type=Path, help="a folder where the corpora stay")
    options = parser.parse_args(arguments)
    texts = question_texts(FULL_WIKI, options.questions + BEFORE)
    before, questions = texts[options.questions :], texts[: options.questions]
    costs = list(_kept(options.keep))
    missing = {
        size: options.rounds
        - min(
            sum(one.store == store and _is_size(one, size) for one in costs)
            for store in options.stores
        )
        for size in options.sizes
    }
    if any(rounds > 0 for rounds in missing.values()):
        made = MadeCorpus.of_abstracts()
        print(f"Heaps' law of the real abstracts: {made.heaps}", flush=True)
        for size, rounds in missing.items():
            with _scratch(options.work, size) as scratch:
                dump = scratch / "wiki.xml"
                made.write(dump, size) if rounds > 0 else None
                for _ in range(rounds):
                    read = questions[: options.read]
                    new = measure(dump, options.stores, scratch, questions, read, before)
                    costs += new
                    with options.keep.open("a", encoding="utf-8") as file:
                        file.writelines(json.dumps(one.as_json()) + "\n" for one in new)
    for store in options.stores:
        wanted = [one for one in costs if any(_is_size(one, size) for size in options.sizes)]
        print(f"\n{store}\n\n{report([one for one in wanted if one.store == store])}")


@contextmanager
def _scratch(work: Path | None, size: int) -> Iterator[Path]:
    if work is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    else:
        folder_of_size = work / str(size)
        folder_of_size.mkdir(parents=True, exist_ok=True)
        yield folder_of_size


def _kept(path: Path) -> Iterable[UnitCosts]:
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            yield UnitCosts(**json.loads(line))


def _is_size(costs: UnitCosts, size: int) -> bool:
    """Some pages are lost: titles that cannot be, and the same title twice."""
    return 0.9 * size < costs.documents <= size
