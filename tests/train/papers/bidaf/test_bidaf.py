"""BiDAF on SQuAD and on key spans, at toy size; and going on from a trained network."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from lacuna.errors import LacunaError
from lacuna.models.model_folder import NETWORK
from lacuna.models.registry import open_paper_reader
from lacuna.types import Question
from lacuna_lab.papers.bidaf import over_fact
from lacuna_lab.papers.run import (
    PaperPlan,
    learn_paper,
    load_paper_task,
    make_paper_task,
    plan_paper,
)

WriteRecipe = Callable[..., Path]
RECIPES = Path(__file__).parents[4] / "recipes"


def train(recipe: Path, data: Path, out: Path, **options: Any) -> Path:
    plan = plan_paper(recipe, data, out, **options)
    list(learn_paper(plan, plan.prepare()))
    return out / "seed-1"


def kgd(folder: Path) -> Path:
    """Two facts with their key spans, as KGD writes them."""
    (folder / "kgd").mkdir(parents=True)
    lines = [
        {"fact": "metals let electricity pass", "stem": "What lets it pass?", "span": "metals"},
        {"fact": "a hare has fur", "stem": "What does a hare have?", "span": "fur"},
    ]
    raws = [
        {
            "id": str(number),
            "question": {"stem": line["stem"], "choices": [{"text": "x", "label": "A"}]},
            "fact": line["fact"],
            "answer_spans": [line["span"]],
            "relations": ["isa"],
            "answerKey": "A",
        }
        for number, line in enumerate(lines)
    ]
    (folder / "kgd" / "train.jsonl").write_text("\n".join(map(json.dumps, raws)))
    return folder


def test_squad(lacuna: Any, paper_recipe: WriteRecipe, toy_data: Path, examples: Path,
               tmp_path: Path) -> None:  # fmt: skip
    model = train(paper_recipe("bidaf"), toy_data, tmp_path / "run")
    asked = ("evaluate", "squad", examples / "squad.json", "--system", f"bidaf:{model}", "--json")
    ran = lacuna(*asked)
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["HasAns_f1"] > 80


def test_key_spans_are_kgds_where_they_are_at_hand(
    paper_recipe: WriteRecipe, toy_data: Path, tmp_path: Path
) -> None:
    recipe = paper_recipe("bidaf", learn_from="key-spans", held_out=0.0, characters=True)
    data = kgd(tmp_path / "data")
    plan = plan_paper(recipe, data, tmp_path / "run")
    assert isinstance(plan, PaperPlan)
    assert [path.name for path in plan.task.files(data)] == ["train.jsonl"]
    spans = [question.gold.answers[0].text for question in plan.task.questions(data)
             if question.gold]  # fmt: skip
    assert spans == ["metals", "fur"]
    reader = open_paper_reader(train(recipe, data, tmp_path / "run"), plan.task.recipe.system)  # type: ignore[arg-type]
    fact = Question("1", "What does a hare have?", fact="a hare has fur")
    (prediction,) = reader.read([over_fact(fact)])
    assert prediction.answer is not None
    assert prediction.answer.text == "fur"
    by_rule = plan_paper(recipe, toy_data, tmp_path / "rule")
    assert isinstance(by_rule, PaperPlan)
    assert "openbookqa" in str(by_rule.task.files(toy_data)[0])
    assert list(by_rule.task.questions(toy_data))


def test_tuning_goes_on_from_what_was_learned(
    paper_recipe: WriteRecipe, toy_data: Path, tmp_path: Path
) -> None:
    first = train(paper_recipe("bidaf", epochs=2), toy_data, tmp_path / "squad")
    recipe = paper_recipe("bidaf", learn_from="key-spans", epochs=1, learning_rate=1e-9)
    data = kgd(tmp_path / "data")
    tuned = train(recipe, data, tmp_path / "tuned", encoder=str(first))
    assert (tuned / "words.txt").read_bytes() == (first / "words.txt").read_bytes()
    from safetensors.torch import load_file

    before, after = load_file(first / NETWORK), load_file(tuned / NETWORK)
    assert all(torch.allclose(before[name], after[name], atol=1e-6) for name in before)
    other = paper_recipe("bidaf", learn_from="key-spans", hidden=7, begin=str(first))
    plan = plan_paper(other, data, tmp_path / "other")
    with pytest.raises(LacunaError, match="another shape"):
        list(learn_paper(plan, plan.prepare()))
    with pytest.raises(LacunaError, match="there is no model of BiDAF"):
        plan_paper(paper_recipe("bidaf", begin="nowhere"), toy_data, tmp_path / "none")


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(LacunaError, match="must be squad or key-spans"):
        make_paper_task({"name": "x", "system": "bidaf", "learn_from": "books"}, "x")


@pytest.mark.parametrize("name", ["bidaf", "gapqa-table-3/key-spans"])
def test_the_recipes_can_be_read(name: str) -> None:
    recipe = load_paper_task(RECIPES / f"{name}.toml").recipe
    assert not recipe.self_attention
    tuned = load_paper_task(RECIPES / "gapqa-table-3" / "squad-key-spans.toml").recipe
    assert (tuned.hidden, tuned.characters) == (recipe.hidden, recipe.characters)
