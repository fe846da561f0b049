"""A saved network reads as it did, and one that is not whole is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.models.model_folder import CONFIG, NETWORK, WORDS, ModelSystem, seal_model
from lacuna.models.registry import open_paper_reader
from lacuna.types import Question
from lacuna_lab.papers.run import PaperReader, learn_paper, plan_paper


@pytest.fixture
def folder(paper_recipe: Callable[..., Path], toy_data: Path, tmp_path: Path) -> Path:
    """A network of QuAC's that has learned for one epoch."""
    plan = plan_paper(paper_recipe("quac-paper", epochs=1), toy_data, tmp_path / "run")
    list(learn_paper(plan, plan.prepare()))
    return tmp_path / "run" / "seed-1"


def questions(examples: Path) -> list[Question]:
    with get_dataset("quac").open(examples / "quac.json") as reader:
        return list(reader.questions())


def open_it(folder: Path) -> Any:
    return open_paper_reader(folder, ModelSystem.QUAC_PAPER)


def test_a_saved_network_reads_the_same_in_any_order(folder: Path, examples: Path) -> None:
    asked = questions(examples)
    reader = open_it(folder)
    assert isinstance(reader, PaperReader)
    answers = reader.read(asked)
    assert all(one.acts is not None for one in answers)
    again = open_it(folder).read(asked[::-1])[::-1]
    assert [one.answer for one in again] == [one.answer for one in answers]
    counted: list[int] = []
    reader.read(asked, progress=counted.append)
    assert sum(counted) == len(asked)


def test_only_what_is_needed_to_read_stays(folder: Path) -> None:
    names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    assert {CONFIG, NETWORK, WORDS, "losses.csv"} <= names
    assert not names & {"checkpoint.pt", "best.pt"}
    config = json.loads((folder / CONFIG).read_text("utf-8"))
    assert (config["system"], config["recipe"]["history"]) == ("quac-paper", 2)


@pytest.mark.parametrize("broken", [NETWORK, WORDS])
def test_a_model_that_is_not_whole_is_named(folder: Path, broken: str) -> None:
    whole = (folder / broken).read_bytes()
    (folder / broken).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(LacunaError, match="is damaged"):
        open_it(folder)
    seal_model(folder)  # as if somebody had changed it on purpose
    if broken == NETWORK:
        with pytest.raises(LacunaError, match="cannot be read"):
            open_it(folder)


def test_a_model_of_another_system_is_refused(folder: Path) -> None:
    with pytest.raises(LacunaError, match="no model of HotpotQA's baseline"):
        open_paper_reader(folder, ModelSystem.HOTPOTQA_PAPER)
    with pytest.raises(LacunaError, match="no model of QuAC's"):
        open_it(folder / "nowhere")
