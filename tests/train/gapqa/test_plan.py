"""Whole GapQA runs, from a recipe to a model that answers."""

from __future__ import annotations

import gzip
import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from gap_examples import COLOURS, changed
from gap_toys import FACT, build
from safetensors.torch import load_file

from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.datasets.base import official_id
from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.pipeline.gapqa import GapQAPipeline
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.types import Choice, Question, Span
from lacuna_collect.tasks.kgd import FAMILY
from lacuna_collect.tasks.task import FinishedWork
from lacuna_lab.data.sources import TRAIN
from lacuna_lab.gapqa.data import fact_key
from lacuna_lab.gapqa.run import GapTrainingPlan, learn, plan_gap

TOY = {
    "system": "gapqa",
    "name": "toy",
    "seeds": [1, 2],
    "epochs": 2,
    "batch": 2,
    "precision": "no",
}


@dataclass(frozen=True)
class Place:
    """What a plan needs."""

    data: Path
    knowledge: Path
    encoder: Path
    folder: Path

    def plan(self, out: str = "run", **changes: Any) -> GapTrainingPlan:
        values = {**TOY, "encoder": str(self.encoder), **changes}
        path = self.folder / "recipe.toml"
        path.write_text("".join(f"{key} = {json.dumps(one)}\n" for key, one in values.items()))
        return plan_gap(path, self.data, self.knowledge, self.folder / out)


@pytest.fixture
def place(
    toy_data: Path,
    encoder: Path,
    tokenizer: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Place:
    sentences = ["book\tA kettle is of metal.", "openstax:physics\tA kettle of metals is hot."]
    build(tmp_path, sentences=sentences)
    monkeypatch.setattr(GapTrainingPlan, "tokenizer", tokenizer)
    return Place(toy_data, tmp_path / "base", encoder, tmp_path)


def test_from_a_recipe_to_an_answer(place: Place) -> None:
    plan = place.plan()
    steps: list[int] = []
    ended = dict(learn(plan, plan.prepare(), steps.append))
    assert [one.stopped for one in ended.values()] == [False, False]
    assert steps == [1, 2, 3, 4], "a batch each, in two epochs with two seeds"
    config = json.loads((plan.out / "seed-2" / "config.json").read_text())
    assert config["name"] == "toy-2"
    assert not (plan.out / "seed-2" / "checkpoint.pt").exists()
    pipeline = GapQAPipeline(
        GapQAReader.load(plan.out / "seed-1"), KnowledgeBase.open(place.knowledge)
    )
    question = Question(
        *("q", "What is hot?"), choices=(Choice("A", "kettle"), Choice("B", "oar")), fact=FACT
    )
    assert sum(one.probability for one in pipeline.ask(question).choices) == pytest.approx(1)
    assert list(learn(plan, plan.prepare())) == [], "what is done is not done again"


def test_a_run_stopped_between_seeds_goes_on(place: Place) -> None:
    plan = place.plan()
    data = plan.prepare()
    ((seed, ended),) = learn(plan, data, until=0.0)
    assert (seed, ended.stopped, ended.epochs) == (1, True, 1)
    assert not (plan.out / "seed-1" / "config.json").exists()
    assert [seed for seed, _ in learn(plan, data)] == [1, 2]


def test_only_spans_then_only_heads(place: Place) -> None:
    spans = place.plan("spans", only_spans=True, knowledge="none", seeds=[1])
    assert [one.id for one in spans.questions] == ["o1"], "the rule is not sure of the other"
    list(learn(spans, spans.prepare()))
    model = str(spans.out / "seed-1")
    heads = place.plan("heads", only_heads=True, spans=model, encoder=model)
    assert [seed for seed, _ in learn(heads, heads.prepare())] == [1, 2]
    before, after = (
        load_file(plan.out / "seed-1" / "network.safetensors") for plan in (spans, heads)
    )
    assert {name.split(".")[0] for name in changed(before, after)} == {"heads"}
    assert GapQAReader.load(heads.out / "seed-1").folder.config["shown"]["knowledge"]


def test_a_bilstm(place: Place, tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("".join(f"{word} 0.5 {at}\n" for at, word in enumerate(COLOURS)))
    plan = place.plan(kind="bilstm", encoder=str(vectors), seeds=[1], questions="all")
    list(learn(plan, plan.prepare()))
    words = (plan.out / "seed-1" / "words.txt").read_text().splitlines()
    assert words == list(COLOURS)


def test_examples_are_made_once_for_the_same_settings(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.plan().prepare()
    place.plan(relation_labels="none").prepare()
    cached = sorted((place.folder / "run").glob("examples-*.npz"))
    assert len(cached) == 2
    monkeypatch.setattr(GapTrainingPlan, "examples", None)
    assert len(place.plan(epochs=7, learning_rate=1e-4).prepare()) == 2


def test_other_data_or_knowledge_makes_other_examples(place: Place, tmp_path: Path) -> None:
    data, base = tmp_path / "other", tmp_path / "base"
    shutil.copytree(place.data, data)
    plan = replace(place.plan(), data=data)
    plan.prepare()
    assert len(list(plan.out.glob("examples-*.npz"))) == 1
    file = TRAIN["openbookqa"].find(data)
    with gzip.open(file, "rt") as raw:
        text = raw.read()
    with gzip.open(file, "wt") as raw:
        raw.write(text.replace("metal", "steel"))
    replace(plan).prepare()
    assert len(list(plan.out.glob("examples-*.npz"))) == 2
    (base / "added").write_text("more")
    replace(plan).prepare()
    assert len(list(plan.out.glob("examples-*.npz"))) == 3
    replace(plan).prepare()
    assert len(list(plan.out.glob("examples-*.npz"))) == 3


def test_sources_may_be_left_out(place: Place) -> None:
    def texts(plan: GapTrainingPlan) -> set[str]:
        return {found.text for found in plan.base.about("metal", "kettle").sentences}

    assert texts(place.plan()) == {"A kettle is of metal.", "A kettle of metals is hot."}
    assert texts(place.plan(leave_out=["openstax:", "else"])) == {"A kettle is of metal."}


def test_short_questions_alone(place: Place) -> None:
    assert [one.id for one in place.plan(questions="short").questions] == ["o1"]


def test_a_file_without_facts_is_named(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "data" / TRAIN["openbookqa"].names[0]
    file.parent.mkdir(parents=True)
    choices = [{"text": "ice", "label": "A"}, {"text": "tin", "label": "B"}]
    one = {"id": "1", "question": {"stem": "What?", "choices": choices}}
    file.write_text(
        f"{json.dumps({**one, 'answerKey': 'B'})}\n{json.dumps({**one, 'fact1': 'tin is soft'})}\n"
    )
    recipe = place.plan().recipe
    plan = GapTrainingPlan(recipe, tmp_path / "data", place.knowledge, tmp_path / "out")
    with pytest.raises(LacunaError, match="no question to learn from"):
        plan.prepare()


def test_what_is_missing_is_named(place: Place) -> None:
    place.plan()
    recipe, out = place.folder / "recipe.toml", place.folder / "new"
    with pytest.raises(LacunaError, match="is no folder"):
        plan_gap(recipe, place.folder / "none", place.knowledge, out)
    with pytest.raises(LacunaError, match="trained with knowledge"):
        plan_gap(recipe, place.data, None, out)
    with pytest.raises(LacunaError, match="holds no knowledge"):
        plan_gap(recipe, place.data, place.folder, out)
    with pytest.raises(LacunaError, match="there is no file none"):
        place.plan(kind="bilstm", encoder="none")
    place.plan()
    other = plan_gap(recipe, place.data, place.knowledge, out, encoder="else")
    assert other.recipe.encoder == "else"
    assert not out.exists()
    assert {name for name, _ in other.described()} >= {"questions", "knowledge", "seeds"}


def with_kgd(place: Place) -> Place:
    """Beside the questions, KGD's: one of them with the same fact, and one with another."""
    data = place.folder / "mixed"
    shutil.copytree(place.data, data)
    with gzip.open(TRAIN["openbookqa"].find(data), "rt") as file:
        first = json.loads(file.readline())
    fact = first.pop("fact1")
    annotated = {**first, "answer_spans": [fact.split()[-1]], "relations": ["isa"]}
    annotated.pop("answer_starts", None)
    other = {**annotated, "fact": "copper is a metal", "answer_spans": ["metal"]}
    (data / "kgd").mkdir()
    lines = [json.dumps({**annotated, "fact": fact}), json.dumps(other)]
    (data / "kgd" / "train.jsonl").write_text("\n".join(lines))
    return replace(place, data=data)


def test_kgd_and_short_questions_are_mixed_as_in_the_paper(place: Place) -> None:
    spans = place.plan("spans", seeds=[1], epochs=1)
    list(learn(spans, spans.prepare()))
    mixed = with_kgd(place)
    found = str(place.folder / "spans" / "seed-1")
    settings = {"questions": "kgd", "relation_labels": "annotated", "spans": found}
    plan = mixed.plan("mixed-run", **settings)
    facts = [question.fact for question in plan.questions]
    assert facts[1] == "copper is a metal"
    assert len(facts) == len(set(facts)), "KGD's question stands for OpenBookQA's with that fact"
    chosen = plan.spans(plan.questions)
    texts = [(q.fact or "")[slice(*chosen[q.id, q.fact])] for q in plan.questions[:2]]
    assert texts == [facts[0].split()[-1] if facts[0] else "", "metal"]
    labelled = plan.prepare().arrays["relations"].any(1).tolist()
    assert labelled == [True, True, *[False] * (len(facts) - 2)]
    distant = mixed.plan("mixed-run", **{**settings, "relation_labels": "distant"})
    assert distant._key() != plan._key()


def test_what_people_collected_is_trained_on(place: Place, lacuna: Any) -> None:
    """Three people describe the gap of a question; its export goes beside OBQA-Short."""
    data = place.folder / "collected"
    shutil.copytree(place.data, data)
    (data / "kgd").mkdir()
    with get_dataset("openbookqa").open(TRAIN["openbookqa"].find(data)) as reader:
        asked = next(reader.questions())
    fact, right = asked.fact or "", asked.gold and asked.gold.answers[0].label
    payload = {
        "id": official_id(asked),
        "question": asked.text,
        "choices": [choice._asdict() for choice in asked.choices],
        "answer": right,
        "fact": fact,
    }
    span = [0, len(fact.split()[0])]
    gap = {"span": span, "relations": ["madeof-1"]}
    works = [FinishedWork("k", payload, "train", gap, who, who, 1.0) for who in (1, 2, 3)]
    with Store.create(place.folder / "no-documents") as corpus:
        FAMILY.export({"kgd-gaps": works}, corpus, data / "kgd")
    spans = place.plan("spans", seeds=[1], epochs=1)
    list(learn(spans, spans.prepare()))
    collected = replace(place, data=data)
    found = str(spans.out / "seed-1")
    one_step = {"seeds": [1], "epochs": 1, "batch": 64}
    settings = {"questions": "kgd", "relation_labels": "annotated", "spans": found, **one_step}
    plan = collected.plan("gaps", **settings)
    assert plan.spans(plan.questions)[fact_key(plan.questions[0])] == Span(*span)
    labels = plan.prepare().arrays["relations"]
    assert labels.any(1).tolist() == [True, *[False] * (len(labels) - 1)]
    recipe = place.folder / "recipe.toml"
    given = ("--data", data, "--knowledge", place.knowledge, "--out", place.folder / "trained")
    ran = lacuna("train", recipe, *given)
    assert ran.code == 0, ran.err
    assert GapQAReader.load(place.folder / "trained" / "seed-1")


def test_kgd_must_be_there_to_be_mixed_in(place: Place) -> None:
    with pytest.raises(LacunaError, match=r"kgd/train\.jsonl"):
        place.plan(questions="kgd")
