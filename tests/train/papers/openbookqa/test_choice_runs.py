"""The networks that choose, from a recipe to scores."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from lacuna import demo
from lacuna.errors import LacunaError
from lacuna_lab.papers.run import PaperPlan, load_paper_task, make_paper_task, plan_paper

WriteRecipe = Callable[..., Path]
RECIPES = Path(__file__).parents[4] / "recipes"


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's knowledge."""
    from lacuna.retrieve.knowledge.knowledge_base import build_base

    folder = tmp_path_factory.mktemp("base") / "kb"
    build_base((demo.TRIPLES, demo.SENTENCES), folder)
    return folder


@pytest.mark.parametrize("system", ["question-to-choice", "esim", "ker"])
def test_train_and_evaluate(
    lacuna: Any, paper_recipe: WriteRecipe, toy_data: Path, examples: Path, tmp_path: Path,
    system: str,
) -> None:  # fmt: skip
    out = tmp_path / "run"
    recipe = paper_recipe(system, characters=True)  # most words are seen once
    assert lacuna("train", recipe, "--data", toy_data, "--out", out).code == 0
    asked = ("evaluate", "openbookqa", examples / "openbookqa.jsonl", "--system")
    ran = lacuna(*asked, f"{system}:{out / 'seed-1'}", "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["accuracy"] == 1
    wrong = lacuna("evaluate", "quac", examples / "quac.json", "--system", f"{system}:{out}")
    assert wrong.code == 2
    assert "a network for openbookqa alone" in wrong.err
    without = lacuna(*asked, system)
    assert without.code == 2
    assert f"recipes/{system}.toml" in without.err


def test_knowledge_is_wanted_where_it_was_learned_with(
    lacuna: Any, paper_recipe: WriteRecipe, toy_data: Path, examples: Path, tmp_path: Path,
    base: Path,
) -> None:  # fmt: skip
    out = tmp_path / "run"
    recipe = paper_recipe("ker", knowledge="all", epochs=2)
    with pytest.raises(LacunaError, match=r"reads knowledge \(all\)"):
        plan_paper(recipe, toy_data, out)
    ran = lacuna("train", recipe, "--data", toy_data, "--out", out, "--knowledge", base)
    assert ran.code == 0, ran.err
    ker = ("--system", f"ker:{out / 'seed-1'}")
    asked = ("evaluate", "openbookqa", examples / "openbookqa.jsonl", *ker)
    refused = lacuna(*asked)
    assert refused.code == 2
    assert "--knowledge DIR" in refused.err
    ran = lacuna(*asked, "--knowledge", base)
    assert ran.code == 0, ran.err


def test_knowledge_for_those_who_read_none_is_refused(
    paper_recipe: WriteRecipe, toy_data: Path, tmp_path: Path, base: Path
) -> None:
    for system in ("question-to-choice", "quac-paper"):
        with pytest.raises(LacunaError, match="reads no knowledge"):
            plan_paper(paper_recipe(system), toy_data, tmp_path, knowledge=base)
    with pytest.raises(LacunaError, match="for the system ker alone"):
        make_paper_task({"name": "x", "system": "esim", "knowledge": "all"}, "x")
    with pytest.raises(LacunaError, match="must be none or wordnet"):
        make_paper_task({"name": "x", "system": "ker", "knowledge": "books"}, "x")


def test_lines_are_about_the_choice_and_no_fact_is_its_own_evidence(
    paper_recipe: WriteRecipe, toy_data: Path, tmp_path: Path, base: Path
) -> None:
    plan = plan_paper(paper_recipe("ker", knowledge="all"), toy_data, tmp_path, knowledge=base)
    assert isinstance(plan, PaperPlan)
    questions = list(plan.task.questions(toy_data))
    assert [len(question.documents) for question in questions] == [
        len(question.choices) for question in questions
    ]
    for question in questions:
        assert question.fact is not None
        assert all(question.fact not in document.text for document in question.documents)


@pytest.mark.parametrize(
    "name",
    ["question-to-choice", "esim", "ker", "ker-table-4/wordnet", "ker-table-4/omcs"],
)
def test_the_recipes_can_be_read(name: str) -> None:
    recipe = load_paper_task(RECIPES / f"{name}.toml").recipe
    assert recipe.vectors
    assert len(recipe.seeds) == 5
