"""The package of docs/extending.md, installed and used as anybody's would be."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import lacuna

ROOT = Path(__file__).parent.parent
PLUGIN = ROOT / "examples" / "plugin"
DOCUMENT = ROOT / "docs" / "extending.md"
FILE = PLUGIN / "questions.jsonl"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

COPY = """
import sys
from pathlib import Path
from lacuna import get_dataset
toy = get_dataset("toy")
with toy.open(Path(sys.argv[1])) as reader:
    toy.copy(reader, Path(sys.argv[2]))
"""

EVALUATE = """
import sys, lacuna
print(lacuna.evaluate(["echo", "abstain"], "toy", sys.argv[1]).to_markdown())
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


def blocks(kind: str) -> list[str]:
    """What the document shows of that kind."""
    return [text for found, text in BLOCK.findall(DOCUMENT.read_text("utf-8")) if found == kind]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run Python where the package is installed; Lacuna itself does not know of it."""
    folder = tmp_path_factory.mktemp("extending")
    source = shutil.copytree(PLUGIN, folder / "source")  # building leaves files behind
    target = folder / "installed"
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", target, source], check=True
    )
    paths = (str(target), str(Path(lacuna.__file__).parent.parent))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}

    def run(*arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done

    return run


def test_the_dataset_is_checked_scored_and_written(run: Run, tmp_path: Path) -> None:
    checked = json.loads(run("-m", "lacuna", "data", "check", "toy", FILE, "--json").stdout)
    assert checked["questions"] == 3
    copy = tmp_path / "copy.jsonl"
    run("-c", COPY, FILE, copy)
    assert copy.read_text() == FILE.read_text()
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": "t1", "text": "a", "question": 7}\n')
    told = run("-m", "lacuna", "data", "check", "toy", broken, code=2).stderr
    assert "field question: expected a text, found the number 7" in " ".join(told.split())


def test_the_reader_is_evaluated_on_the_dataset(run: Run) -> None:
    table = run("-m", "lacuna", "evaluate", "toy", FILE, "--system", "echo").stdout
    assert re.search(r"right +100\.0", table)
    compared = run(
        *("-m", "lacuna", "evaluate", "toy", FILE, "--setting", "closed-book"),
        *("--system", "echo", "--system", "abstain"),
    ).stdout
    assert re.search(r"right +echo +33\.3", compared)
    assert "| right | abstain | 33.3 |" in run("-c", EVALUATE, FILE).stdout


def test_predictions_are_written_and_scored(run: Run, tmp_path: Path) -> None:
    predictions = tmp_path / "predictions.json"
    run("-m", "lacuna", "predict", "toy", FILE, "--system", "echo", "--out", predictions)
    assert json.loads(predictions.read_text())["t3"] == "?"
    scores = json.loads(run("-m", "lacuna", "score", "toy", FILE, predictions, "--json").stdout)
    assert scores["right"] == 1
    assert scores["brevity"] == pytest.approx((1 / 4 + 1 / 7) / 2)


def test_the_retriever_searches_and_the_reader_answers(run: Run, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    run("-m", "lacuna", "index", PLUGIN / "harbour.cards", "--out", corpus)
    search = ("-m", "lacuna", "search", "lamp of the lighthouse", "--corpus", corpus, "--json")
    (hit,) = json.loads(run(*search, "--retriever", "overlap").stdout)["hits"]
    assert (hit["title"], hit["score"]) == ("Lighthouse", 2.0)
    ask = ("-m", "lacuna", "ask", "When does the ferry sail?", "--corpus", corpus, "--json")
    result = json.loads(run(*ask, "--model", "echo", "--retriever", "overlap").stdout)
    assert result["answer"]["text"] == "The ferry to Osk sails at nine."
    assert result["quotes"][0]["document"] == "Ferry"
    result = json.loads(run(*ask, "--model", "echo:9").stdout)
    assert result["answer"]["kind"] == "none"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("evaluate", "toys", str(FILE)), "toy"),
        (("evaluate", "toy", str(FILE), "--system", "ecko"), "Did you mean echo?"),
        (("evaluate", "toy", str(FILE), "--system", "echo:x"), "such as echo:2"),
        (("ask", "Why?", "--retriever", "overlab"), "Did you mean overlap?"),
        (("index", str(FILE), "--format", "card", "--out", os.devnull), "Did you mean cards?"),
    ],
)
def test_a_name_that_nobody_offers(run: Run, arguments: tuple[str, ...], told: str) -> None:
    assert told in " ".join(run("-m", "lacuna", *arguments, code=2).stderr.split())


def test_every_command_of_the_document_works(run: Run, tmp_path: Path) -> None:
    commands = [
        line.removeprefix("lacuna ")
        for block in blocks("sh")
        for line in block.splitlines()
        if line.startswith("lacuna ")
    ]
    assert len(commands) >= 6
    for command in commands:
        run("-m", "lacuna", *shlex.split(command.replace("/tmp/", f"{tmp_path}/"), comments=True))


def test_the_document_shows_the_package_as_it_is() -> None:
    files = [path.read_text("utf-8") for path in PLUGIN.rglob("*") if path.is_file()]
    shown = blocks("py") + blocks("toml") + blocks("jsonl") + blocks("markdown")
    assert len(shown) >= 6
    for block in shown:
        for part in block.split("\n...\n"):  # where something is left out
            assert any(part.strip("\n") in text for text in files), part
