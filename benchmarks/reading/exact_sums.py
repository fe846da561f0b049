"""What exact sums of 8-bit products are worth, and what they cost on this processor.

A processor without VNNI cuts sums off at 16 bits unless it is told not to; on one that has it, both
ways are alike. The shipped reader answers the same questions both ways, by turns. LACUNA_DATA must
be set.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import read_questions
from benchmarks.registry import command
from lacuna.datasets import get_dataset
from lacuna.metrics.report import score_predictions
from lacuna.models import onnx
from lacuna.models.reader.reader import ModelReader
from lacuna.types import Prediction

TASKS = (
    ("drop", Path("drop", "dev.json.gz")),
    ("iirc", Path("iirc", "dev.json.gz")),
)
AT_ONCE = 16
"""Questions that one way reads before it is the other's turn."""


def main(arguments: Sequence[str]) -> None:
    """Scores both ways, how many answers differ, and the time of one against the other."""
    parser = command("exact-sums", __doc__)
    parser.add_argument("--limit", type=int, default=100, help="how many questions of each dataset")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args(arguments)
    ways = {name: _reader(value, options.threads) for name, value in (("cut", "0"), ("exact", "1"))}
    for dataset, file in TASKS:
        _compare(dataset, file, ways, options.limit)


def _reader(exact: str, threads: int) -> ModelReader:
    usual = onnx.SETTINGS[onnx.EXACT_SUMS]
    onnx.SETTINGS[onnx.EXACT_SUMS] = exact
    try:
        return ModelReader.load(threads=threads)
    finally:
        onnx.SETTINGS[onnx.EXACT_SUMS] = usual


def _compare(dataset: str, file: Path, ways: dict[str, ModelReader], limit: int) -> None:
    known = get_dataset(dataset)
    setting = known.setting(None)
    questions = read_questions(dataset, file, limit)
    answers: dict[str, dict[str, Prediction]] = {name: {} for name in ways}
    seconds = dict.fromkeys(ways, 0.0)
    for start in range(0, len(questions), AT_ONCE):
        batch = questions[start : start + AT_ONCE]
        for name, reader in ways.items():
            began = time.perf_counter()
            read = reader.read([setting.arrange(each) for each in batch], mode=setting.mode)
            seconds[name] += time.perf_counter() - began
            answers[name] |= {
                each.id: prediction for each, prediction in zip(batch, read, strict=True)
            }
    cut, exact = answers.values()
    differ = sum(exact[key].answer != prediction.answer for key, prediction in cut.items())
    scores = {
        name: score_predictions(known.metric(), questions, given).official["f1"]
        for name, given in answers.items()
    }
    print(
        f"{dataset:9} {len(questions)} questions, f1 cut off {100 * scores['cut']:.1f}, exact "
        f"{100 * scores['exact']:.1f}; other answers {differ / len(questions):.1%}; "
        f"time × {seconds['exact'] / seconds['cut']:.2f}"
    )
