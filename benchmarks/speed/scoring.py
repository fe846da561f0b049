"""Time and memory of scoring, reading and starting.

Scoring is measured beside the official algorithm. LACUNA_DATA must be set: the files are made from
HotpotQA's questions.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.baselines import hotpotqa_scorer
from benchmarks.measure import in_turns, run, run_python
from benchmarks.registry import command
from benchmarks.speed.hotpotqa_files import write_gold, write_gold_of_size, write_predictions

ROUNDS = 7
QUESTIONS = 7405
LACUNA = [sys.executable, "-m", "lacuna"]
LARGE = 500_000_000
"""Bytes of the file that is read."""


def main(arguments: Sequence[str]) -> None:
    """Print the figures."""
    parser = command("scoring", __doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="to score")
    parser.add_argument("--bytes", type=int, default=LARGE, help="of the file to read")
    options = parser.parse_args(arguments)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as folder:
        scoring(Path(folder), options.questions, options.rounds)
        reading(Path(folder), options.bytes)
        starting(options.rounds)


def scoring(folder: Path, questions: int, rounds: int) -> None:
    """Lacuna beside the official algorithm, turn by turn so that both meet the same noise."""
    gold, predictions = folder / "gold.json", folder / "predictions.json"
    write_gold(gold, questions)
    write_predictions(gold, predictions)
    files = (str(gold), str(predictions))
    plain, ours = in_turns(
        rounds,
        {
            "plain": partial(run, [sys.executable, str(hotpotqa_scorer.__file__), *files]),
            "ours": partial(run, [*LACUNA, "score", "hotpotqa", *files, "--json"]),
        },
    ).values()
    scores, expected = json.loads(ours[0].output), json.loads(plain[0].output)
    worst = max(abs(scores[name] - value) for name, value in expected.items())
    ratio = median(our.cpu / their.cpu for our, their in zip(ours, plain, strict=True))
    print(f"score hotpotqa, {questions:,} questions, {gold.stat().st_size / 1e6:.0f} MB of gold")
    print(f"  official algorithm  {median(each.cpu for each in plain):.2f} s CPU")
    print(f"  lacuna score        {median(each.cpu for each in ours):.2f} s CPU")
    print(f"  ratio, median of {rounds}  {ratio:.2f}")
    print(f"  largest difference  {worst:.1e}")


def reading(folder: Path, size: int) -> None:
    """Memory of reading a large file, beyond that of the imports alone."""
    large = folder / "large.json"
    questions = write_gold_of_size(large, size)
    imports = "from pathlib import Path\nfrom lacuna import get_dataset\nget_dataset('hotpotqa')\n"
    read = imports + (
        f"with get_dataset('hotpotqa').open(Path({str(large)!r})) as reader:\n"
        f"    assert sum(1 for _ in reader.questions()) == {questions}\n"
    )
    (_, base), (_, peak) = run_python(imports), run_python(read)
    print(f"reading {large.stat().st_size / 1e6:.0f} MB, {questions:,} questions")
    print(f"  peak beyond the interpreter and imports  {peak - base:.0f} MB")


def starting(rounds: int) -> None:
    """Processor time of the import and of the help page, beyond nothing."""
    for label, words in (
        ("python -c pass", [sys.executable, "-c", "pass"]),
        ("import lacuna", [sys.executable, "-c", "import lacuna"]),
        ("lacuna --help", [*LACUNA, "--help"]),
    ):
        print(f"  {label:15}  {min(run(words).cpu for _ in range(rounds)):.3f} s CPU")
