"""Runs over a pretrained encoder: stopped and gone on with, and what they need."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from lacuna.errors import LacunaError
from lacuna.models.model_folder import NETWORK, ModelSystem, seal_model
from lacuna.models.registry import open_paper_reader
from lacuna.types import AnswerKind, Question
from lacuna_lab.papers.iirc import load_stages
from lacuna_lab.papers.run import learn_paper, plan_paper

WriteRecipe = Callable[..., Path]
SYSTEMS = ("iirc-links", "iirc-context", "iirc-paper", "iirc-unanswerable")


def run(recipe: Path, data: Path, out: Path, encoder: Path, until: float) -> Any:
    plan = plan_paper(recipe, data, out, encoder=str(encoder))
    return list(learn_paper(plan, plan.prepare(), until=until))


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(
    system: str, iirc_recipe: WriteRecipe, toy_data: Path, encoder: Path, tmp_path: Path
) -> None:
    recipe = iirc_recipe(system, epochs=3, dropout=0.2)
    now = time.monotonic()
    twice = (recipe, toy_data, tmp_path / "twice", encoder)
    assert [end.epochs for _, end in run(*twice, now)] == [1]
    assert not (tmp_path / "twice" / "seed-1" / NETWORK).exists()
    assert [end.stopped for _, end in run(*twice, now + 600)] == [False]
    run(recipe, toy_data, tmp_path / "once", encoder, now + 600)
    weights = [(tmp_path / out / "seed-1" / NETWORK).read_bytes() for out in ("once", "twice")]
    assert weights[0] == weights[1]
    assert run(*twice, now) == []  # it is done


@pytest.mark.parametrize("reads", ["question", "passage", "context"])
def test_table_6_is_learned_from_snippets(
    reads: str,
    lacuna: Any,
    iirc_recipe: WriteRecipe,
    toy_data: Path,
    encoder: Path,
    examples: Path,
    tmp_path: Path,
) -> None:
    recipe, out = iirc_recipe("iirc-unanswerable", reads=reads), tmp_path / "run"
    run(recipe, toy_data, out, encoder, time.monotonic() + 600)
    asked = ("evaluate", "iirc", examples / "iirc.json", "--json")
    ran = lacuna(*asked, "--system", f"iirc-unanswerable:{out / 'seed-1'}")
    assert ran.code == 0, ran.err
    abstention = json.loads(ran.out)["abstention"]
    assert abstention["recall"] > 0.5 if reads != "context" else abstention["f1"] is not None


def test_a_saved_reader_reads_the_same_in_any_order(
    iirc_recipe: WriteRecipe, toy_data: Path, encoder: Path, tmp_path: Path
) -> None:
    run(iirc_recipe("iirc-paper", epochs=1), toy_data, tmp_path / "run", encoder, 1e18)
    folder = tmp_path / "run" / "seed-1"
    reader = open_paper_reader(folder, ModelSystem.IIRC_PAPER)
    questions = [Question(str(n), f"Who sailed {'far ' * n}?") for n in range(5)]
    answers = [one.answer for one in reader.read(questions)]
    assert [one.answer for one in reader.read(questions[::-1])][::-1] == answers
    assert all(one is not None and one.kind in AnswerKind for one in answers)
    assert reader.read([]) == []
    for name in (NETWORK, "tokenizer.json"):
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole[: len(whole) // 2])
        seal_model(folder)
        with pytest.raises(LacunaError, match="cannot be read"):
            open_paper_reader(folder, ModelSystem.IIRC_PAPER)
        (folder / name).write_bytes(whole)


def test_what_is_missing_is_named_before_any_work(
    iirc_recipe: WriteRecipe, toy_data: Path, encoder: Path, tmp_path: Path
) -> None:
    with pytest.raises(LacunaError, match="names no encoder"):
        plan_paper(iirc_recipe("iirc-links"), toy_data, tmp_path)
    with pytest.raises(LacunaError, match="iirc/train"):
        plan_paper(iirc_recipe("iirc-links"), tmp_path, tmp_path, encoder=str(encoder))
    staged = iirc_recipe("iirc-paper", stages=str(tmp_path))
    with pytest.raises(LacunaError, match=r"context_articles\.json"):
        plan_paper(staged, toy_data, tmp_path, encoder=str(encoder))
    with pytest.raises(LacunaError, match=r"no trained model in links.*recipes/iirc-links\.toml"):
        load_stages(tmp_path)
    with pytest.raises(LacunaError, match="tokenizer"):
        plan_paper(iirc_recipe("iirc-links"), toy_data, tmp_path, encoder=str(tmp_path)).prepare()


def test_no_stage_is_named_where_a_corpus_is_asked_without_one(
    lacuna: Any,
    iirc_recipe: WriteRecipe,
    toy_data: Path,
    encoder: Path,
    tmp_path: Path,
) -> None:
    run(iirc_recipe("iirc-paper", epochs=1), toy_data, tmp_path / "run", encoder, 1e18)
    system = ("--system", f"iirc-paper:{tmp_path / 'run' / 'seed-1'}")
    ran = lacuna("evaluate", "iirc", *system, "--setting", "full")
    assert ran.code == 2
    assert "no trained model in links" in ran.err
