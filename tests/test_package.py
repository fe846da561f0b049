"""``import lacuna`` is light; what asks is loaded when it is used."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import lacuna

HEAVY = ("onnxruntime", "tantivy", "tokenizers", "lacuna.pipeline.pipeline", "torch")


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("lacuna", HEAVY),
        ("lacuna.corpus.store", ("lacuna.corpus.formats", "importlib.metadata")),
        # A reader answers a file of questions without a corpus, a knowledge base or plugins.
        ("lacuna.evaluation.assignment", (*HEAVY, "lacuna.corpus.store", "importlib.metadata")),
        ("lacuna.cli.ask", ("pydantic", "fastapi")),
        ("lacuna.pipeline.pipeline", ("pydantic", "fastapi")),
        ("lacuna.evaluation.asking", ("tantivy", "lacuna.pipeline.pipeline", "importlib.metadata")),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(module: str, names: tuple[str, ...]) -> None:
    program = f"import sys, {module}; print([name for name in {names} if name in sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "[]"


def test_the_help_of_all_commands_loads_no_pipeline() -> None:
    program = (
        "import sys; from lacuna.cli import main\n"
        "try:\n    main(['--help'])\nfinally:\n"
        "    print([n for n in ('numpy', 'lacuna.pipeline.pipeline') if n in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert told.stdout.splitlines()[-1] == "[]", told.stdout + told.stderr


@pytest.mark.parametrize("name", lacuna.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(lacuna, name) is not None


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="open_corpse"):
        lacuna.open_corpse  # noqa: B018


def test_what_is_public_is_listed() -> None:
    assert dir(lacuna) == sorted(lacuna.__all__)


def test_readers_and_retrievers_are_opened_by_name() -> None:
    question = "Who founded the Sandreth Courier?"
    named = lacuna.open_corpus(retriever="hotpotqa", reader="small")
    assert named.ask(question).answer.text == lacuna.open_corpus().ask(question).answer.text
    with pytest.raises(lacuna.LacunaError, match="hybird"):
        lacuna.open_corpus(retriever="hybird")
