"""How fast the reader is: int8 against full precision and against torch, side by side.

    python benchmarks/reading_speed.py DATA INT8 [FULL] [TORCH]

DATA is the folder with the datasets; the others are folders of one model as ``lacuna export``
writes it (int8, then with --full-precision) and as ``lacuna train`` leaves it. The systems take
turns on the same questions, so that a busy machine slows all of them alike.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from lacuna.datasets import get_dataset
from lacuna.models.reader.backend import Backend, Outputs
from lacuna.models.reader.model_input import ModelInput
from lacuna.models.reader.reader import ModelReader
from lacuna.types import Document, Question

THREADS = 2
ROUNDS = 3
QUESTIONS = 16
COLD = """
import resource
from lacuna import Document, Question
from lacuna.models.reader.reader import ModelReader
text = "Ada Quill was born in Port Ellery in 1897. She built the Marrow in 1931."
question = Question("q", "How old was Ada Quill when she built the Marrow?", Document("t", text))
print(ModelReader.load({model!r}, threads=2).read([question])[0].answer.text)
used = resource.getrusage(resource.RUSAGE_SELF)
status = open("/proc/self/status").read()  # ru_maxrss would count the parent's memory
peak = int(status.split("VmHWM:")[1].split()[0])
print(used.ru_utime + used.ru_stime, peak / 1024)
"""


class Counting:
    """A backend that counts the tokens and the seconds of another."""

    def __init__(self, inner: Backend) -> None:
        self._inner = inner
        self.at_once = inner.at_once
        self.tokens = 0
        self.seconds = 0.0

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        began = time.perf_counter()
        made = self._inner.run(inputs)
        self.seconds += time.perf_counter() - began
        self.tokens += sum(len(one.ids) for one in inputs)
        return made


def questions_of(data: Path, task: str, file: str, setting: str) -> list[Question]:
    with get_dataset(task).open(data / file) as reader:
        arrange = get_dataset(task).setting(setting).arrange
        return [arrange(one) for one in islice(reader.questions(), QUESTIONS)]


def speed(data: Path, models: dict[str, Path]) -> None:
    """Questions and tokens a second on two datasets."""
    for task, file, setting in (
        ("hotpotqa", "hotpotqa/dev.json.gz", "distractor"),
        ("iirc", "iirc/dev.json.gz", "oracle-context"),
    ):
        questions = questions_of(data, task, file, setting)
        readers = {name: ModelReader.load(path, threads=THREADS) for name, path in models.items()}
        counts: dict[str, Counting] = {}
        whole = dict.fromkeys(models, 0.0)
        for name, reader in readers.items():
            counts[name] = reader._backend = Counting(reader._backend)
            reader.read(questions[:2], mode=get_dataset(task).setting(setting).mode)
            counts[name].tokens, counts[name].seconds = 0, 0.0
        for _ in range(ROUNDS):
            for name, reader in readers.items():
                began = time.perf_counter()
                reader.read(questions, mode=get_dataset(task).setting(setting).mode)
                whole[name] += time.perf_counter() - began
        first = next(iter(models))
        for name in models:
            print(
                f"{task:9} {name:6} {counts[name].tokens / whole[name]:8.0f} tokens/s "
                f"{ROUNDS * len(questions) / whole[name]:6.2f} questions/s, outside of the network "
                f"{1 - counts[name].seconds / whole[name]:4.0%}, "
                f"time × {whole[name] / whole[first]:.2f}"
            )


def growth(model: Path) -> None:
    """Seconds against the length of the text."""
    reader = ModelReader.load(model, threads=THREADS)
    sentence = "The ferry to Port Ellery sails at nine and comes back before the tide turns. "
    for words in (1_000, 4_000, 16_000):
        text = sentence * (words // 15)
        began = time.perf_counter()
        reader.read([Question("q", "When does the ferry sail?", Document("t", text))])
        seconds = time.perf_counter() - began
        print(f"{words:7,} words {seconds:6.2f} s, {1000 * seconds / words:.3f} ms a word")


def cold(models: dict[str, Path]) -> None:
    """The first answer of a fresh process: processor time and memory."""
    for name, model in models.items():
        if name == "torch":
            continue
        command = [sys.executable, "-c", COLD.format(model=str(model))]
        runs = [
            subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(3)
        ]
        numbers = [tuple(map(float, run.stdout.split("\n")[1].split())) for run in runs]
        cpu, memory = (sorted(column)[1] for column in zip(*numbers, strict=True))
        print(f"cold {name:5} {cpu:.2f} s of processor time, {memory:.0f} MB at most")


def main() -> None:
    data, *folders = map(Path, sys.argv[1:])
    models = dict(zip(("int8", "full", "torch"), folders, strict=False))
    speed(data, models)
    growth(models["int8"])
    cold(models)


if __name__ == "__main__":
    main()
