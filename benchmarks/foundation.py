"""Time and memory of scoring, reading and starting; prints the table in ``results.md``.

LACUNA_DATA=… python benchmarks/foundation.py
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from make_hotpotqa import write_gold, write_gold_of_size, write_predictions

ROUNDS = 7
QUESTIONS = 7405
LACUNA = [sys.executable, "-m", "lacuna"]
HERE = Path(__file__).parent


def cpu_seconds(command: list[str]) -> tuple[float, str]:
    """The processor time that a command takes, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, done.stdout


def peak_megabytes(code: str) -> float:
    """The most memory that a Python program holds at once."""
    # Not ru_maxrss: a child begins with its parent's.
    measured = code + (
        "\nfrom pathlib import Path\n"
        "print(*(line for line in Path('/proc/self/status').open() if 'VmHWM' in line))"
    )
    _, out = cpu_seconds([sys.executable, "-c", measured])
    return float(out.split()[-2]) / 1024


def scoring(folder: Path) -> None:
    """Lacuna beside the official algorithm, turn by turn so that both meet the same noise."""
    gold, predictions = folder / "gold.json", folder / "predictions.json"
    write_gold(gold, QUESTIONS)
    write_predictions(gold, predictions)
    ours = [*LACUNA, "score", "hotpotqa", str(gold), str(predictions), "--json"]
    plain = [sys.executable, str(HERE / "plain_hotpotqa_scorer.py"), str(gold), str(predictions)]
    ratios: list[float] = []
    times: dict[str, list[float]] = {"ours": [], "plain": []}
    for _ in range(ROUNDS):
        seconds_plain, out_plain = cpu_seconds(plain)
        seconds_ours, out_ours = cpu_seconds(ours)
        ratios.append(seconds_ours / seconds_plain)
        times["ours"].append(seconds_ours)
        times["plain"].append(seconds_plain)
    found, wanted = json.loads(out_ours), json.loads(out_plain)
    worst = max(abs(found[name] - value) for name, value in wanted.items())
    print(f"score hotpotqa, {QUESTIONS:,} questions, {gold.stat().st_size / 1e6:.0f} MB of gold")
    print(f"  official algorithm  {statistics.median(times['plain']):.2f} s CPU")
    print(f"  lacuna score        {statistics.median(times['ours']):.2f} s CPU")
    print(f"  ratio, median of {ROUNDS}  {statistics.median(ratios):.2f}")
    print(f"  largest difference  {worst:.1e}")


def reading(folder: Path) -> None:
    """Memory of reading half a gigabyte, beyond that of the imports alone."""
    large = folder / "large.json"
    questions = write_gold_of_size(large, 500_000_000)
    imports = "from pathlib import Path\nfrom lacuna import get_dataset\nget_dataset('hotpotqa')\n"
    read = imports + (
        f"with get_dataset('hotpotqa').open(Path({str(large)!r})) as reader:\n"
        f"    assert sum(1 for _ in reader.questions()) == {questions}\n"
    )
    base, peak = peak_megabytes(imports), peak_megabytes(read)
    print(f"reading {large.stat().st_size / 1e6:.0f} MB, {questions:,} questions")
    print(f"  peak beyond the interpreter and imports  {peak - base:.0f} MB")


def starting() -> None:
    """Processor time of the import and of the help page, beyond nothing."""
    for label, command in (
        ("python -c pass", [sys.executable, "-c", "pass"]),
        ("import lacuna", [sys.executable, "-c", "import lacuna"]),
        ("lacuna --help", [*LACUNA, "--help"]),
    ):
        print(f"  {label:15}  {min(cpu_seconds(command)[0] for _ in range(ROUNDS)):.3f} s CPU")


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as name:
        scoring(Path(name))
        reading(Path(name))
        starting()
