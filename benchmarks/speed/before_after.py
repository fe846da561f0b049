"""This tree beside another one: is anything slower, and does it still say the same?

--other names a checkout, or its src folder. Start-up, asking the demo, scoring a HotpotQA file,
indexing the demo's articles and reading a fixed batch are each measured in processes of their own.
The two trees take turns, in changing order, and the ratios (this tree / the other) are medians over
the rounds. LACUNA_DATA must be set: the HotpotQA file is made from its questions.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.data import read_questions
from benchmarks.measure import Run, in_turns, run
from benchmarks.registry import command
from benchmarks.speed.hotpotqa_files import write_gold, write_predictions
from lacuna.assets import demo
from lacuna.errors import LacunaError

THIS = Path(__file__).parents[2] / "src"
LIMIT = 1.05
"""A ratio above this is marked."""
SCORED = 3000
EVERY = 24
"""Of the demo's questions, each so-manieth is asked."""
READ_ARTICLES = 12
"""So many articles of the demo are read with the questions about them."""
LACUNA = (sys.executable, "-m", "lacuna")
ASK = """
import json, sys, time
import lacuna
corpus = lacuna.open_corpus(threads=int(sys.argv[2]))
corpus.ask("Is this the first question?")
answers, seconds, spent = [], [], time.process_time()
for question in json.loads(sys.argv[1]):
    start = time.perf_counter()
    result = corpus.ask(question)
    seconds.append(time.perf_counter() - start)
    answers.append([result.answer.text, result.confidence])
print(json.dumps([sorted(seconds)[len(seconds) // 2], time.process_time() - spent, answers]))
"""


class Tree(NamedTuple):
    """The source of one tree, and a folder for what its commands leave behind."""

    source: Path
    scratch: Path

    def run(self, *words: str) -> Run:
        """Run a command with this tree's package."""
        places = {"PYTHONPATH": str(self.source), "LACUNA_CACHE": str(self.scratch / "cache")}
        return run(words, places)


@dataclass(frozen=True)
class Inputs:
    """What both trees are given."""

    gold: Path
    predictions: Path
    questions: Path
    threads: int


def main(arguments: Sequence[str]) -> None:
    """Print a table of ratios."""
    parser = command("before-after", __doc__)
    parser.add_argument("--other", type=Path, required=True, help="a checkout, or its src folder")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1, help="for asking and reading")
    parser.add_argument("--only", choices=MEASURES, action="append", help="may be given again")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        trees = {
            name: Tree(source_of(path), Path(folder) / name)
            for name, path in (("other", options.other), ("this", THIS))
        }
        for tree in trees.values():
            tree.scratch.mkdir()
        inputs = make_inputs(Path(folder), options.threads)
        print(f"{options.rounds} rounds, {options.threads} thread(s); medians\n")
        print("| | wall, other | wall, this | ratio | CPU, other | CPU, this | ratio | same output |")
        print("|---|---:|---:|---:|---:|---:|---:|---|", flush=True)
        for name in options.only or MEASURES:
            commands = {side: partial(MEASURES[name], tree, inputs) for side, tree in trees.items()}
            in_turns(1, commands)  # bytecode and caches are written
            runs = in_turns(options.rounds, commands)
            print(row(name, runs["other"], runs["this"]), flush=True)


def source_of(checkout: Path) -> Path:
    """The folder that holds the package."""
    for folder in (checkout / "src", checkout):
        if (folder / "lacuna" / "__init__.py").is_file():
            return folder.resolve()
    raise LacunaError(f"{checkout} has no src/lacuna: name a checkout, or its src folder.")


def make_inputs(folder: Path, threads: int) -> Inputs:
    """Files for scoring and reading."""
    gold, predictions, questions = (folder / f"{name}.json" for name in ("gold", "pred", "iirc"))
    write_gold(gold, SCORED)
    write_predictions(gold, predictions)
    articles = json.loads(demo.QUESTIONS.read_text("utf-8"))[:READ_ARTICLES]
    questions.write_text(json.dumps(articles), encoding="utf-8")
    return Inputs(gold, predictions, questions, threads)


def import_package(tree: Tree, inputs: Inputs) -> Run:
    """Start-up of a Python program."""
    return tree.run(sys.executable, "-c", "import lacuna")


def show_help(tree: Tree, inputs: Inputs) -> Run:
    """Start-up of the command line; what it says may differ."""
    return replace_output(tree.run(*LACUNA, "--help"), "")


def ask(tree: Tree, inputs: Inputs) -> Run:
    """The median of some questions over the demo, and the processor time of all of them."""
    texts = [question.text for question in read_questions("iirc", demo.QUESTIONS)[::EVERY]]
    whole = tree.run(sys.executable, "-c", ASK, json.dumps(texts), str(inputs.threads))
    wall, cpu, answers = json.loads(whole.output)
    return Run(wall, cpu, 0.0, json.dumps(answers))


def score(tree: Tree, inputs: Inputs) -> Run:
    """Scoring a HotpotQA file."""
    return tree.run(*LACUNA, "score", "hotpotqa", *map(str, (inputs.gold, inputs.predictions)))


def index(tree: Tree, inputs: Inputs) -> Run:
    """Making a corpus of the demo's articles."""
    folder = next(tree.scratch / f"corpus{number}" for number in count() if fresh(tree, number))
    return replace_output(
        tree.run(*LACUNA, "index", str(demo.ARTICLES), "--out", str(folder)), ""
    )
