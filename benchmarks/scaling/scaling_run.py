"""What passages cost, how that grows, and what sizes would take that nobody has measured.

Wikis of each size are made of HotpotQA's abstracts, indexed, searched and asked with HotpotQA's
questions; times are processor seconds, of one thread where there is a choice. --keep names a file
that measurements are added to: a size that is in it as often as --rounds says is not measured
again, so that a run can be stopped and gone on with.

    python -m benchmarks scaling --sizes 10000 30000 100000 --keep scaling.jsonl
    python -m benchmarks scaling --sizes 10000 30000 100000 1000000 --keep scaling.jsonl   # long
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.registry import command
from benchmarks.retrieval.abstracts import FULL_WIKI, question_texts
from benchmarks.scaling.made_corpus import MadeCorpus
from benchmarks.scaling.report import report
from benchmarks.scaling.unit_costs import UnitCosts, measure


def main(arguments: Sequence[str]) -> None:
    """Measure what is missing, and print the tables."""
    parser = command("scaling", __doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    parser.add_argument("--store", choices=("embedded", "lance"), default="embedded")
    parser.add_argument("--questions", type=int, default=200, help="that are searched for")
    parser.add_argument("--read", type=int, default=20, help="questions that are answered too")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--keep", type=Path, required=True, help="the file of measurements")
    options = parser.parse_args(arguments)
    questions = question_texts(FULL_WIKI, options.questions)
    costs = [one for one in _kept(options.keep) if one.store == options.store]
    missing = {
        size: options.rounds - sum(_is_size(one, size) for one in costs) for size in options.sizes
    }
    if any(rounds > 0 for rounds in missing.values()):
        made = MadeCorpus.of_abstracts()
        print(f"Heaps' law of the real abstracts: {made.heaps}", flush=True)
        for size, rounds in missing.items():
            with tempfile.TemporaryDirectory() as scratch:
                dump = Path(scratch) / "wiki.xml"
                made.write(dump, size) if rounds > 0 else None
                for _ in range(rounds):
                    read = questions[: options.read]
                    costs.append(measure(dump, options.store, Path(scratch), questions, read))
                    with options.keep.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(costs[-1].as_json()) + "\n")
    wanted = [one for one in costs if any(_is_size(one, size) for size in options.sizes)]
    print(report(wanted))


def _kept(path: Path) -> Iterable[UnitCosts]:
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            yield UnitCosts(**json.loads(line))


def _is_size(costs: UnitCosts, size: int) -> bool:
    """Some pages are lost: titles that cannot be, and the same title twice."""
    return 0.9 * size < costs.documents <= size
