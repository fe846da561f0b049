"""GapQA's systems: make their examples, train them with several seeds, score them on dev.

    LACUNA_DATA=… python benchmarks/gapqa.py prepare WORK --knowledge KB --tuned DIR --plain DIR \
        --vectors FILE
    python benchmarks/gapqa.py run WORK small/gapqa,small/fact-only --encoder DIR
    LACUNA_DATA=… python benchmarks/gapqa_tables.py WORK

``prepare`` needs the data and the knowledge base; ``run`` only what that left in WORK (so that it
can be done on another machine) and the encoder: a folder, or for the BiLSTM its word vectors. Key
spans of train and dev are by one model for all systems and seeds, so that these differ in nothing
else. What was run once is not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import torch
from gapqa_systems import PLAIN, TUNED, VARIANTS, examples_of, recipe_of

from lacuna.files.writing import replace_text
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.models.gapqa.question_rows import Shown
from lacuna.models.gapqa.rows import RowMaker
from lacuna.models.model_folder import SHIPPED, TOKENIZER, ModelSystem, find_model
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.data.data_folder import DEV, TRAIN, read
from lacuna.train.gapqa.dataset import GapDataset
from lacuna.train.gapqa.labels import NONE_OF_THEM, UNKNOWN
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.plan import GapTrainingPlan, begin
from lacuna.train.gapqa.prepare import fact_key
from lacuna.train.gapqa.recipe import BILSTM
from lacuna.train.gapqa.torch_model import TorchGapBackend, begin_transformer, save_gap
from lacuna.train.gapqa.trainer import (
    SCORE_BATCH,
    GapTraining,
    autocast,
    batches,
    choice_scores,
    tidy,
)
from lacuna.types import Question, Span

Spans = dict[str, dict[str, Span]]
RESULTS = "results"


def main() -> None:
    """Do one of the two steps."""
    parser = argparse.ArgumentParser(description="Train and score GapQA's systems.")
    parser.add_argument("step", choices=["prepare", "run"])
    parser.add_argument("work", type=Path)
    parser.add_argument("systems", nargs="?", default="")
    parser.add_argument("--knowledge", type=Path)
    parser.add_argument("--tuned", help="a model that was tuned for key spans")
    parser.add_argument("--plain", help="the reader before that, as it was trained")
    parser.add_argument("--vectors", help="word vectors in GloVe's format")
    parser.add_argument("--encoder", default="")
    parser.add_argument("--seeds", default="1,2,3,4,5")
    parser.add_argument("--changes", default="{}", help="other settings of the recipe, as JSON")
    parser.add_argument("--keep", action="store_true", help="keep the networks too")
    asked = parser.parse_args()
    {"prepare": prepare, "run": run}[asked.step](asked)


def prepare(asked: argparse.Namespace) -> None:
    """Examples of all systems, of train and dev."""
    data = Path(os.environ["LACUNA_DATA"])
    questions = {"train": list(read(TRAIN["openbookqa"], data))}
    questions["dev"] = list(read(DEV["openbookqa"], data))
    spans = find_spans(asked, questions)
    for encoder in ("bilstm", "small"):
        for variant in VARIANTS:
            recipe = recipe_of(encoder, variant)
            for part in ("train", "dev"):
                out = asked.work / examples_of(encoder, variant, part)
                if out.is_file():
                    continue
                if encoder == "bilstm":
                    recipe = replace(recipe, encoder=asked.vectors)
                if part == "dev":  # what is searched then is all there is
                    recipe = replace(recipe, questions="all", leave_out=())
                planned = GapTrainingPlan(recipe, data, asked.knowledge, asked.work)
                chosen = planned.chosen(questions[part])
                by_id = spans[VARIANTS[variant].spans]
                made = planned.examples(chosen, {fact_key(one): by_id[one.id] for one in chosen})
                made.save(out)
                labelled = int(made.arrays["relations"].any(1).sum())
                print(f"{out.name}: {len(made)} questions, {labelled} with relations", flush=True)


def find_spans(asked: argparse.Namespace, questions: dict[str, list[Question]]) -> Spans:
    """The key spans of all questions by both models; kept, since that takes minutes."""
    kept = asked.work / "spans.json"
    if not kept.is_file():
        asked.work.mkdir(parents=True, exist_ok=True)
        every = [one for some in questions.values() for one in some]
        names = [one.id for one in every]
        readers = {TUNED: GapQAReader.load(asked.tuned), PLAIN: plain_reader(asked)}
        found = {
            name: dict(zip(names, reader.key_spans(every), strict=True))
            for name, reader in readers.items()
        }
        with replace_text(kept) as out:
            json.dump(found, out)
    raw = json.loads(kept.read_text("utf-8"))
    return {name: {id_: Span(*span) for id_, span in some.items()} for name, some in raw.items()}


def plain_reader(asked: argparse.Namespace) -> GapQAReader:
    """The reader's own layers for spans, asked as GapQA asks for key spans."""
    tokenizer = find_model(asked.plain).tokenizer
    pieces = Tokenizer(tokenizer)
    network = GapNetwork(begin_transformer(asked.plain, tokenizer), Shown())
    backend = TorchGapBackend(network, RowMaker(pieces))
    folder = find_model(asked.tuned, system=ModelSystem.GAPQA)
    return GapQAReader(folder, backend, pieces, backend)


def run(asked: argparse.Namespace) -> None:
    """Train and score systems, each with all seeds."""
    for name in asked.systems.split(","):
        encoder, variant = name.split("/")
        for seed in map(int, asked.seeds.split(",")):
            one_run(asked, encoder, variant, seed)


def one_run(asked: argparse.Namespace, encoder: str, variant: str, seed: int) -> None:
    """One system with one seed."""
    changes = json.loads(asked.changes)
    recipe = replace(recipe_of(encoder, variant), encoder=asked.encoder, **changes)
    name = "-".join([recipe.name, *(f"{key}={value}" for key, value in changes.items()), str(seed)])
    result = asked.work / RESULTS / f"{name}.json"
    if result.is_file():
        return
    result.parent.mkdir(exist_ok=True)
    begun = time.perf_counter()
    torch.manual_seed(seed)
    planned = GapTrainingPlan(recipe, Path(), Path(), asked.work / name)
    train, dev = (examples(asked.work / examples_of(encoder, variant, p)) for p in ("train", "dev"))
    training = GapTraining(recipe, seed, begin(planned), train, planned.out)
    ended = training.run()
    scores = choice_scores(training.network, dev, range(len(dev)), recipe.precision)
    told = {
        "recipe": asdict(recipe),
        "held_out": ended.held_out,
        "epochs": ended.epochs,
        "seconds": time.perf_counter() - begun,
        "lines": lines_right(training.network, dev, recipe.precision),
        "scores": {id_: one.tolist() for id_, one in zip(dev.names, scores, strict=True)},
    }
    with replace_text(result) as out:
        json.dump(told, out)
    right = [
        int(one.argmax()) == gold for one, gold in zip(scores, dev.arrays["right"], strict=True)
    ]
    print(
        f"{name}: dev {100 * sum(right) / len(right):.1f}, held out {ended.held_out} after "
        f"{ended.epochs} epochs, {told['seconds']:.0f} s",
        flush=True,
    )
    if asked.keep and recipe.kind != BILSTM:
        save_gap(
            training.network.half(),
            recipe,
            planned.out,
            {"name": name, "held_out_accuracy": ended.held_out},
            tokenizer=SHIPPED / "small" / TOKENIZER,
        )
    tidy(planned.out)


def lines_right(network: GapNetwork, data: GapDataset, precision: str) -> float | None:
    """Of the lines that state one of the relations, the share that is read so."""
    known = right = 0
    every = range(len(data))
    chunks = [every[at : at + SCORE_BATCH] for at in range(0, len(data), SCORE_BATCH)]
    network.eval()
    for batch, targets in batches(network, data.to(next(network.parameters()).device), chunks):
        device = batch.asked.device
        with torch.no_grad(), autocast(device, precision):
            said = network(batch)[0].lines
        stated = (targets.lines != UNKNOWN) & (targets.lines != NONE_OF_THEM)
        known += int(stated.sum())
        right += int((said[stated].argmax(1) == targets.lines[stated]).sum())
    return right / known if known else None


@cache
def examples(path: Path) -> GapDataset:
    """Examples that several runs share."""
    return GapDataset.load(path)


if __name__ == "__main__":
    main()
