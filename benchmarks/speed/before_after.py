"""This tree beside another one: is anything slower, and does it still say the same?

--other names a checkout, or its src folder. Start-up, asking the demo (one question from the
command line, and several of one open corpus), scoring a HotpotQA file, indexing the demo's articles
and reading a fixed batch are each measured in processes of their own. The two trees take turns, in
changing order, and the ratios (this tree / the other) are medians over the rounds. LACUNA_DATA must
be set: the HotpotQA file is made from its questions.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.data import read_questions
from benchmarks.measure import Run, in_turns, run
from benchmarks.registry import command
from benchmarks.speed.hotpotqa_files import write_gold, write_predictions
from lacuna import demo
from lacuna.errors import LacunaError

THIS = Path(__file__).parents[2] / "packages" / "lacuna" / "src"
PLACES = (Path("packages/lacuna/src"), Path("src"), Path())
"""Where a checkout has the package: now, when there was one, and in its src folder itself."""
LIMIT = 1.05
"""A ratio above this is marked."""
QUESTION = "How high is Carrow Fell?"
SCORED = 7405
"""As many as HotpotQA's dev file has."""
EVERY = 24
"""Of the demo's questions, one of so many is asked."""
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
    answers.append([result.answer.text, result.prediction.confidence])
print(json.dumps([sorted(seconds)[len(seconds) // 2], time.process_time() - spent, answers]))
"""


class Tree(NamedTuple):
    """The source of one tree, and a folder for what its commands leave behind."""

    source: Path
    scratch: Path

    def check(self) -> None:
        """Refuse to measure a tree whose package is not the one that is loaded."""
        told = self.run(sys.executable, "-c", "import lacuna; print(lacuna.__file__)").output
        if Path(told.strip()).resolve().parent != (self.source / "lacuna").resolve():
            raise LacunaError(f"{self.source} was to be measured, but {told.strip()} is loaded.")

    def run(self, *words: str, threads: int | None = None) -> Run:
        """Run a command with this tree's package."""
        if not (self.source / "lacuna" / "__init__.py").is_file():  # another would be loaded
            raise LacunaError(f"{self.source} is gone: put it back and measure again.")
        places = {"PYTHONPATH": str(self.source), "LACUNA_CACHE": str(self.scratch / "cache")}
        if threads is not None:
            places["LACUNA_THREADS"] = str(threads)
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
            tree.check()
        inputs = make_inputs(Path(folder), options.threads)
        print(f"{options.rounds} rounds, {options.threads} thread(s); medians\n")
        print("| | wall, other | this | ratio | user CPU, other | this | ratio | same output |")
        print("|---|---:|---:|---:|---:|---:|---:|---|", flush=True)
        for name in options.only or MEASURES:
            commands = {side: partial(MEASURES[name], tree, inputs) for side, tree in trees.items()}
            in_turns(1, commands)  # bytecode and caches are written
            runs = in_turns(options.rounds, commands)
            print(row(name, runs["other"], runs["this"]), flush=True)


def source_of(checkout: Path) -> Path:
    """The folder that holds the package."""
    for folder in (checkout / place for place in PLACES):
        if (folder / "lacuna" / "__init__.py").is_file():
            return folder.resolve()
    raise LacunaError(f"{checkout} has no package lacuna: name a checkout, or its src folder.")


def make_inputs(folder: Path, threads: int) -> Inputs:
    """Files for scoring and reading."""
    gold, predictions, questions = (folder / f"{name}.json" for name in ("gold", "pred", "iirc"))
    write_gold(gold, SCORED)
    write_predictions(gold, predictions)
    articles = json.loads(demo.QUESTIONS.read_text("utf-8"))[:READ_ARTICLES]
    questions.write_text(json.dumps(articles), encoding="utf-8")
    return Inputs(gold, predictions, questions, threads)


def start_python(tree: Tree, inputs: Inputs) -> Run:
    """Start-up of a program that uses the package."""
    return tree.run(sys.executable, "-c", "import lacuna")


def start_command(tree: Tree, inputs: Inputs) -> Run:
    """Start-up of the command line."""
    return tree.run(*LACUNA, "--help")


def ask_command(tree: Tree, inputs: Inputs) -> Run:
    """One answer from the command line, with everything that is loaded for it."""
    return tree.run(*LACUNA, "ask", QUESTION, threads=inputs.threads)


def ask(tree: Tree, inputs: Inputs) -> Run:
    """The median of some questions over the demo, and the processor time of all of them."""
    texts = [question.text for question in read_questions("iirc", demo.QUESTIONS)[::EVERY]]
    whole = tree.run(sys.executable, "-c", ASK, json.dumps(texts), str(inputs.threads))
    wall, user, answers = json.loads(whole.output)
    return Run(wall, user, 0.0, json.dumps(answers))


def score(tree: Tree, inputs: Inputs) -> Run:
    """Scoring a HotpotQA file."""
    files = map(str, (inputs.gold, inputs.predictions))
    return tree.run(*LACUNA, "score", "hotpotqa", *files, "--json")


def index(tree: Tree, inputs: Inputs) -> Run:
    """Making a corpus of the demo's articles."""
    with tempfile.TemporaryDirectory(dir=tree.scratch) as folder:
        corpus = Path(folder) / "corpus"
        done = tree.run(*LACUNA, "index", str(demo.ARTICLES), "--out", str(corpus), "--json")
    counts = json.loads(done.output)
    return done._replace(output=str(counts["documents"]))


def read(tree: Tree, inputs: Inputs) -> Run:
    """Reading a fixed batch of questions with their evidence."""
    predictions = tree.scratch / "read.json"
    settings = ("--setting", "oracle-context")
    files = (str(inputs.questions), "-o", str(predictions))
    done = tree.run(*LACUNA, "predict", "iirc", *files, *settings, threads=inputs.threads)
    return done._replace(output=predictions.read_text("utf-8"))


MEASURES: dict[str, Callable[[Tree, Inputs], Run]] = {
    "import lacuna": start_python,
    "lacuna --help": start_command,
    "lacuna ask": ask_command,
    "ask": ask,
    "score hotpotqa": score,
    "index": index,
    "read": read,
}


def row(name: str, other: Sequence[Run], this: Sequence[Run]) -> str:
    """One line of the table; ratios are taken round by round."""
    cells = []
    rounds = list(zip(other, this, strict=True))
    for pairs in (
        [(before.wall, after.wall) for before, after in rounds],
        [(before.user, after.user) for before, after in rounds],
    ):
        ratio = median(after / before for before, after in pairs)
        cells += [f"{1000 * median(times):.0f} ms" for times in zip(*pairs, strict=True)]
        cells += [f"{ratio:.3f}{' !' if ratio > LIMIT else ''}"]
    outputs = {run.output for run in (*other, *this)}
    same = "" if name == "lacuna --help" else "yes" if len(outputs) == 1 else "no"
    return f"| {' | '.join((name, *cells, same))} |"
