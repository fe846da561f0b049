"""The examples of GapQA's systems, of train and dev, made once in the folder WORK.

gapqa-train reads what this leaves there, and nothing else of the data. Key spans are by one model
for all systems and seeds, so that these differ in nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.data import data_folder
from benchmarks.gapqa.systems import PLAIN, TUNED, VARIANTS, examples_of, recipe_of
from benchmarks.registry import command
from lacuna.files.writing import replace_text
from lacuna.models.gapqa.gapqa_reader import GapQAReader, Shown
from lacuna.models.gapqa.rows import RowMaker
from lacuna.models.model_folder import ModelSystem, find_model
from lacuna.models.reader.encode import Tokenizer
from lacuna.types import Question, Span
from lacuna_lab.data.sources import DEV, TRAIN, read
from lacuna_lab.gapqa.data import fact_key
from lacuna_lab.gapqa.network import GapNetwork
from lacuna_lab.gapqa.run import GapTrainingPlan, TorchGapBackend, begin_transformer

Spans = dict[str, dict[str, Span]]
"""For each of the two models, the key span of every question by its id."""


def main(arguments: Sequence[str]) -> None:
    """Make the examples of all systems."""
    parser = command("gapqa-examples", __doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("--knowledge", type=Path, required=True, help="a knowledge base")
    parser.add_argument("--tuned", required=True, help="a model that was tuned for key spans")
    parser.add_argument("--plain", required=True, help="the reader before that, as it was trained")
    parser.add_argument("--vectors", required=True, help="word vectors in GloVe's format")
    options = parser.parse_args(arguments)
    data = data_folder()
    questions = {
        part: list(read(files["openbookqa"], data))
        for part, files in (("train", TRAIN), ("dev", DEV))
    }
    every = [question for part in questions.values() for question in part]
    spans = key_spans(options.work, every, options.tuned, options.plain)
    for encoder in ("bilstm", "small"):
        for variant in VARIANTS:
            for part in questions:
                out = options.work / examples_of(encoder, variant, part)
                if out.is_file():
                    continue
                recipe = recipe_of(encoder, variant)
                if encoder == "bilstm":
                    recipe = replace(recipe, encoder=options.vectors)
                if part == "dev":  # what is searched then is all there is
                    recipe = replace(recipe, questions="all", leave_out=())
                plan = GapTrainingPlan(recipe, data, options.knowledge, options.work)
                make_examples(plan, questions[part], spans[VARIANTS[variant].spans], out)


def make_examples(
    plan: GapTrainingPlan, questions: Sequence[Question], spans: dict[str, Span], out: Path
) -> None:
    """The examples of one system, in one file."""
    chosen = plan.chosen(questions)
    examples = plan.examples(chosen, {fact_key(each): spans[each.id] for each in chosen})
    examples.save(out)
    labelled = int(examples.arrays["relations"].any(1).sum())
    print(f"{out.name}: {len(examples)} questions, {labelled} with relations", flush=True)


def key_spans(work: Path, questions: Sequence[Question], tuned: str, plain: str) -> Spans:
    """The key spans of all questions by both models; cached, since that takes minutes."""
    cached = work / "spans.json"
    if not cached.is_file():
        work.mkdir(parents=True, exist_ok=True)
        ids = [question.id for question in questions]
        readers = {TUNED: GapQAReader.load(tuned), PLAIN: plain_reader(plain, tuned)}
        spans = {
            name: dict(zip(ids, reader.key_spans(questions), strict=True))
            for name, reader in readers.items()
        }
        with replace_text(cached) as out:
            json.dump(spans, out)
    raw = json.loads(cached.read_text("utf-8"))
    return {name: {id_: Span(*span) for id_, span in some.items()} for name, some in raw.items()}


def plain_reader(plain: str, tuned: str) -> GapQAReader:
    """The reader's own layers for spans, asked as GapQA asks for key spans."""
    path = find_model(plain).tokenizer
    tokenizer = Tokenizer(path)
    network = GapNetwork(begin_transformer(plain, path), Shown())
    backend = TorchGapBackend(network, RowMaker(tokenizer))
    folder = find_model(tuned, system=ModelSystem.GAPQA)
    return GapQAReader(folder, backend, tokenizer, backend)
