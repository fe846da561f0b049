"""How fast the reader is: int8 against full precision and against torch, side by side.

The models are folders of one model as `lacuna export` writes it, then as `export_run(…,
int8=False)` does and as `lacuna train` leaves it; without any, the shipped int8 model. They take
turns on the same questions, so that a busy machine slows all of them alike. LACUNA_DATA must be
set.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.data import read_questions
from benchmarks.measure import run_python
from benchmarks.registry import command
from lacuna.datasets import get_dataset
from lacuna.models.reader.encode import ModelInput
from lacuna.models.reader.reader import Backend, ModelReader, Outputs
from lacuna.types import Document, Question

THREADS = 2
ROUNDS = 3
KINDS = ("int8", "full", "torch")
TASKS = (
    ("hotpotqa", Path("hotpotqa", "dev.json.gz"), "distractor"),
    ("iirc", Path("iirc", "dev.json.gz"), "oracle-context"),
)
COLD = """
from lacuna import Document, Question
from lacuna.models.reader.reader import ModelReader
text = "Ada Quill was born in Port Ellery in 1897. She built the Marrow in 1931."
question = Question("q", "How old was Ada Quill when she built the Marrow?", Document("t", text))
print(ModelReader.load({model!r}, threads=2).read([question])[0].answer.text)
"""


class CountingBackend:
    """A backend that counts the tokens and the seconds of another."""

    def __init__(self, inner: Backend) -> None:
        self._inner = inner
        self.at_once, self.has_verdict = inner.at_once, inner.has_verdict
        self.tokens = 0
        self.seconds = 0.0

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        start = time.perf_counter()
        outputs = self._inner.run(inputs)
        self.seconds += time.perf_counter() - start
        self.tokens += sum(len(each.ids) for each in inputs)
        return outputs


def main(arguments: Sequence[str]) -> None:
    """Speed, growth with the length of a text, and the cost of a first answer."""
    parser = command("reading-speed", __doc__)
    parser.add_argument("models", nargs="*", default=["small"], help="INT8 [FULL [TORCH]]")
    parser.add_argument("--limit", type=int, default=16, help="how many questions of each dataset")
    options = parser.parse_args(arguments)
    models = dict(zip(KINDS, options.models, strict=False))
    speed(models, options.limit)
    growth(models["int8"])
    cold(models)


def speed(models: dict[str, str], limit: int) -> None:
    """Questions and tokens a second on two datasets."""
    for dataset, file, name in TASKS:
        setting = get_dataset(dataset).setting(name)
        questions = [setting.arrange(each) for each in read_questions(dataset, file, limit)]
        readers = {name: ModelReader.load(path, threads=THREADS) for name, path in models.items()}
        counts: dict[str, CountingBackend] = {}
        whole = dict.fromkeys(models, 0.0)
        for name, reader in readers.items():
            counts[name] = reader._backend = CountingBackend(reader._backend)
            reader.read(questions[:2], mode=setting.mode)
            counts[name].tokens, counts[name].seconds = 0, 0.0
        for _ in range(ROUNDS):
            for name, reader in readers.items():
                start = time.perf_counter()
                reader.read(questions, mode=setting.mode)
                whole[name] += time.perf_counter() - start
        first = next(iter(models))
        for name in models:
            print(
                f"{dataset:9} {name:6} {counts[name].tokens / whole[name]:8.0f} tokens/s "
                f"{ROUNDS * len(questions) / whole[name]:6.2f} questions/s, outside of the network "
                f"{1 - counts[name].seconds / whole[name]:4.0%}, "
                f"time × {whole[name] / whole[first]:.2f}"
            )


def growth(model: str) -> None:
    """Seconds against the length of the text."""
    reader = ModelReader.load(model, threads=THREADS)
    sentence = "The ferry to Port Ellery sails at nine and comes back before the tide turns. "
    for words in (1_000, 4_000, 16_000):
        text = sentence * (words // 15)
        start = time.perf_counter()
        reader.read([Question("q", "When does the ferry sail?", Document("t", text))])
        seconds = time.perf_counter() - start
        print(f"{words:7,} words {seconds:6.2f} s, {1000 * seconds / words:.3f} ms a word")


def cold(models: dict[str, str]) -> None:
    """The first answer of a fresh process: processor time and memory."""
    for name, model in models.items():
        if name == "torch":
            continue
        runs = [run_python(COLD.format(model=model)) for _ in range(ROUNDS)]
        cpu, memory = median(run.cpu for run, _ in runs), median(peak for _, peak in runs)
        print(f"cold {name:5} {cpu:.2f} s of processor time, {memory:.0f} MB at most")
