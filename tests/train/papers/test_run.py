"""A paper's network, from the recipe to scores: it learns the examples by heart."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from lacuna.errors import LacunaError
from lacuna.models.model_folder import NETWORK
from lacuna_lab.papers.run import PreparedWords, learn_paper, plan_paper

WriteRecipe = Callable[..., Path]


def losses(folder: Path) -> list[float]:
    with (folder / "losses.csv").open() as rows:
        return [float(row["loss"]) for row in csv.DictReader(rows)]


@pytest.mark.parametrize(
    ("system", "dataset", "setting", "least"),
    [
        ("hotpotqa-paper", "hotpotqa", "distractor", {"em": 1, "sp_f1": 0.8}),
        ("quac-paper", "quac", "gold-history", {"f1": 60, "yes/no": 100, "followup": 100}),
        ("quac-paper", "quac", "predicted-history", {"yes/no": 60}),
    ],
)
def test_train_and_evaluate(
    lacuna: Any,
    paper_recipe: WriteRecipe,
    toy_data: Path,
    examples: Path,
    tmp_path: Path,
    system: str,
    dataset: str,
    setting: str,
    least: dict[str, float],
) -> None:
    out = tmp_path / "run"
    recipe = str(paper_recipe(system))
    trained = lacuna("train", recipe, "--data", str(toy_data), "--out", str(out))
    assert trained.code == 0, trained.err
    assert losses(out / "seed-1")[-1] < 0.2 * losses(out / "seed-1")[0]
    file = str(examples / f"{dataset}.json")
    options = ["--system", f"{system}:{out / 'seed-1'}", "--setting", setting, "--json"]
    evaluated = lacuna("evaluate", dataset, file, *options)
    assert evaluated.code == 0, evaluated.err
    scores = json.loads(evaluated.out)
    for measure, lowest in least.items():
        assert scores[measure] >= lowest, (measure, scores)


def test_full_wiki_reads_what_is_found_together(
    lacuna: Any, paper_recipe: WriteRecipe, toy_data: Path, examples: Path, tmp_path: Path
) -> None:
    corpus, out, predicted = (tmp_path / name for name in ("corpus", "run", "predicted.json"))
    assert lacuna("index", examples / "notes", "--out", corpus).code == 0
    recipe = paper_recipe("hotpotqa-paper", epochs=1, support_threshold=0.0)
    assert lacuna("train", recipe, "--data", toy_data, "--out", out).code == 0
    asked = ("evaluate", "hotpotqa", examples / "hotpotqa.json", "--setting", "fullwiki")
    system = ("--system", f"hotpotqa-paper:{out / 'seed-1'}")
    ran = lacuna(*asked, *system, "--corpus", corpus, "--out", predicted)
    assert ran.code == 0, ran.err
    facts = json.loads(predicted.read_text("utf-8"))["sp"]
    assert {title for own in facts.values() for title, _ in own} >= {"Ada Quill", "Marrow"}


def test_a_network_of_a_paper_is_not_exported(
    lacuna: Any, paper_recipe: WriteRecipe, toy_data: Path, tmp_path: Path
) -> None:
    plan = plan_paper(paper_recipe("quac-paper", epochs=1), toy_data, tmp_path / "run")
    list(learn_paper(plan, plan.prepare()))
    ran = lacuna("export", tmp_path / "run" / "seed-1", tmp_path / "exported")
    assert ran.code == 2
    assert "read as it was trained" in ran.err


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(
    paper_recipe: WriteRecipe, toy_data: Path, tmp_path: Path
) -> None:
    recipe = paper_recipe("quac-paper", epochs=3, dropout=0.2)

    def run(out: str, until: float) -> Any:
        plan = plan_paper(recipe, toy_data, tmp_path / out)
        return list(learn_paper(plan, plan.prepare(), until=until))

    now = time.monotonic()
    assert [end.epochs for _, end in run("twice", now)] == [1]
    assert not (tmp_path / "twice" / "seed-1" / NETWORK).exists()
    assert [end.epochs for _, end in run("twice", now)] == [2]
    assert [end.stopped for _, end in run("twice", now + 600)] == [False]
    assert [end.epochs for _, end in run("once", now + 600)] == [3]
    weights = [(tmp_path / out / "seed-1" / NETWORK).read_bytes() for out in ("once", "twice")]
    assert weights[0] == weights[1]
    assert run("twice", now) == []  # it is done


def test_each_seed_gets_a_folder(paper_recipe: WriteRecipe, toy_data: Path, tmp_path: Path) -> None:
    plan = plan_paper(paper_recipe("hotpotqa-paper", epochs=1, seeds=[3, 4]), toy_data, tmp_path)
    assert [seed for seed, _ in learn_paper(plan, plan.prepare())] == [3, 4]
    weights = {(tmp_path / f"seed-{seed}" / NETWORK).read_bytes() for seed in (3, 4)}
    assert len(weights) == 2


def test_given_word_vectors_are_read_and_stay(
    paper_recipe: WriteRecipe, toy_data: Path, tmp_path: Path
) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("the 1.0 0.0\nferry 0.0 1.0\n")
    recipe = paper_recipe("hotpotqa-paper", epochs=2)
    plan = plan_paper(recipe, toy_data, tmp_path / "run", encoder=str(vectors))
    prepared = plan.prepare()
    assert isinstance(prepared, PreparedWords)
    assert prepared.vocabulary.known == ["the", "ferry"]
    list(learn_paper(plan, prepared))
    begun = str(tmp_path / "run" / "seed-1")
    second = plan_paper(recipe, toy_data, tmp_path / "second", encoder=begun)
    list(learn_paper(second, second.prepare()))
    from safetensors.torch import load_file

    for run in ("run", "second"):
        learned = load_file(tmp_path / run / "seed-1" / NETWORK)["body.embedding.vectors.weight"]
        assert torch.equal(learned, prepared.vectors), f"changed in the {run}"


def test_what_is_missing_is_named_before_any_work(
    paper_recipe: WriteRecipe, toy_data: Path, tmp_path: Path
) -> None:
    recipe = paper_recipe("quac-paper")
    with pytest.raises(LacunaError, match="no folder"):
        plan_paper(recipe, tmp_path / "none", tmp_path)
    with pytest.raises(LacunaError, match=r"quac/train\.json"):
        plan_paper(recipe, tmp_path, tmp_path)
    with pytest.raises(LacunaError, match="word vectors in GloVe's format"):
        plan_paper(recipe, toy_data, tmp_path, encoder="none.txt")
    easy = paper_recipe("hotpotqa-paper", leave_out_levels=["easy", "hard"])
    with pytest.raises(LacunaError, match="no question to learn from"):
        plan_paper(easy, toy_data, tmp_path).prepare()
