"""Training at toy size: a tiny random encoder, and a data folder made from ``examples/``."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lacuna_lab.data.sources import DEV, GIVEN, TRAIN, DataFile

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
RECIPE: dict[str, Any] = {
    "name": "toy",
    "seed": 3,
    "epochs": 4,
    "batch_tokens": 400,
    "accumulate": 2,
    "learning_rate": 1e-3,
    "precision": "no",
    "held_out": 0.1,
    "check_every": 5,
    "keep_every": 1000,
}
SOURCES = (
    *("squad1", "unanswerable", "hotpotqa", "iirc", "links", "quac", "drop", "openbookqa"),
    *("unanswerable_twins", "synthetic_yes_no"),
)


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Two busy cores are slower than one, and one adds up in one order."""
    os.environ.update(OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false")
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)


def words(examples: Path) -> list[str]:
    """Every word of the examples, in lower case."""
    texts = (path.read_text("utf-8").lower() for path in sorted(examples.glob("*.json*")))
    return sorted({word for text in texts for word in re.findall(r"[a-z]{2,}", text)})


@pytest.fixture(scope="session")
def tokenizer(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WordPiece tokenizer that knows the examples' words, and letters for all others."""
    tokenizers = pytest.importorskip("tokenizers")
    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    tokenizer = [
        *SPECIAL,
        *(f"[unused{number}]" for number in range(1, 61)),
        *letters,
        *(f"##{letter}" for letter in letters),
        *words(examples),
    ]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(tokenizer))}
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens(list(SPECIAL))
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    made.save(str(path))
    return path


@pytest.fixture(scope="session")
def encoder(tokenizer: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers that has learned nothing."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("encoder")
    size = len(json.loads(tokenizer.read_text("utf-8"))["model"]["vocab"])
    config = transformers.BertConfig(
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    shutil.copyfile(tokenizer, folder / "tokenizer.json")
    return folder


def _write(folder: Path, file: DataFile, value: Any, *, lines: bool = False) -> None:
    path = folder / f"{file.names[0]}.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        if lines:
            out.writelines(json.dumps(one) + "\n" for one in value)
        else:
            json.dump(value, out)


def _snippets(passages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """IIRC's questions as the training file has them."""
    for passage in passages:
        for question in passage["questions"]:
            quotes = question.get("context", [])
            own = [one["text"] for one in quotes if one["passage"] == "main"]
            linked = [one["text"] for one in quotes if one["passage"] != "main"]
            answer = question["answer"]
            match answer["type"]:
                case "span":
                    texts = [span["text"] for span in answer["answer_spans"]]
                case "value":
                    texts = [f"{answer['answer_value']} {answer['answer_unit']}".strip()]
                case "binary":
                    texts = [answer["answer_value"]]
                case _:
                    texts = ["none"]
            yield {
                "question": question["question"],
                "passage": passage["text"],
                "main_context": " ".join(own),
                "link_context": " ".join(linked),
                "gold_link": (question.get("question_links") or [""])[0],
                "answer": texts,
            }


def _twins(squad: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An unanswerable question beside each answerable one."""
    for article in squad["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                yield {
                    "id": f"{question['id']}-none",
                    "title": article["title"],
                    "context": paragraph["context"],
                    "question": f"why not, {question['question'].lower()}",
                    "paired_answerable_id": question["id"],
                    "plausible_answer": {
                        "answer_start": 0,
                        "text": paragraph["context"].split()[0],
                    },
                }


def _claims() -> Iterator[dict[str, Any]]:
    for what, answer in (("herring", "yes"), ("cotton", "no"), ("salt", "none")):
        yield {
            "text": f"Did the cannery pack {what}?",
            "form": "question",
            "context": "The cannery packed herring, and no cotton. It closed.",
            "answer": answer,
            "source": "condaqa",
            "pair": "cannery",
        }


def _given() -> Iterator[dict[str, Any]]:
    text = "The cannery of Stony Tarn packed herring in 1888. It closed."
    for number, (said, quotes) in enumerate((("herring", [[0, 49]]), ("1888", []))):
        start = text.index(said)
        window = {
            "title": "Stony Tarn",
            "text": text,
            "sentences": [[0, 49], [50, 60]],
            "quotes": quotes,
            "whole": [bool(quotes)],
            "answer": "span",
            "texts": [said],
            "value": None,
            "unit": "",
            "expression": "",
            "found_at": [[start, start + len(said)]],
            "supported_by": [0, 49],
            "scores": [-0.1, 2.0, 3.0],
        }
        yield {
            "id": f"given-{number}",
            "collection": "toys",
            "kind": "fact",
            "question": "What did it pack?",
            "answers": ["herring"],
            "quotes": 1,
            "windows": [window],
        }


def _cannery(kind: str, what: str) -> dict[str, Any]:
    return {
        "id": kind,
        "kind": kind,
        "title": "Stony Tarn",
        "passage": "The cannery packed herring. It closed.",
        "question": f"Did the cannery pack {what}?",
        "evidence": "The cannery packed herring.",
        "evidence_start": 0,
        "pair": "cannery",
    }


@pytest.fixture(scope="session")
def toy_data(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples under the names of the training files; dev files that hold other questions."""
    folder = tmp_path_factory.mktemp("data")
    read = {
        name: json.loads((examples / f"{name}.json").read_text("utf-8"))
        for name in ("squad", "hotpotqa", "iirc", "quac", "drop")
    }
    _write(folder, TRAIN["squad2"], read["squad"])
    answerable = json.loads(json.dumps(read["squad"]))
    for article in answerable["data"]:
        for paragraph in article["paragraphs"]:
            paragraph["qas"] = [one for one in paragraph["qas"] if one["answers"]]
    _write(folder, TRAIN["squad1"], answerable)
    _write(folder, TRAIN["hotpotqa"], read["hotpotqa"])
    _write(folder, TRAIN["iirc"], _snippets(read["iirc"]), lines=True)
    _write(folder, TRAIN["quac"], read["quac"])
    _write(folder, TRAIN["drop"], read["drop"])
    choices = (examples / "openbookqa.jsonl").read_text("utf-8").splitlines()
    _write(folder, TRAIN["openbookqa"], map(json.loads, choices), lines=True)
    _write(folder, TRAIN["squad_twins"], _twins(answerable), lines=True)
    _write(folder, TRAIN["polarity"], _claims(), lines=True)
    _write(folder, GIVEN, _given(), lines=True)
    for kind, what in (("yes", "herring"), ("no", "cotton")):
        _write(folder, TRAIN[f"synthetic_{kind}"], [_cannery(kind, what)], lines=True)
    for file in (file for file in DEV.values() if file.official):
        empty: Any = {"hotpotqa": [], "iirc": [], "drop": {}}.get(file.dataset, {"data": []})
        _write(folder, file, empty)
    other = {"id": "x", "question": {"stem": "What is it?", "choices": []}, "answerKey": ""}
    _write(folder, DEV["openbookqa"], [other], lines=True)
    return folder


@dataclass(frozen=True)
class Toy:
    """What a run needs; ``caches`` keeps what was tokenised, for other runs to begin with."""

    data: Path
    encoder: Path
    caches: Path
    folder: Path

    def recipe(self, **changes: Any) -> Path:
        """A recipe file, some of its settings changed."""
        own = {"encoder": str(self.encoder), "tokenizer": str(self.encoder)}
        values = {**RECIPE, **own, **changes}
        sources = values.pop("sources", dict.fromkeys(SOURCES, 1))
        lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
        lines += ["[sources]", *(f"{name} = {json.dumps(one)}" for name, one in sources.items())]
        path = self.folder / f"recipe-{len(list(self.folder.iterdir()))}.toml"
        path.write_text("\n".join(lines))
        return path

    def out(self, name: str) -> Path:
        """The folder of a new run, the cache already in it."""
        folder = self.folder / name
        shutil.copytree(self.caches, folder)
        return folder

    def arguments(self, recipe: Path, out: Path) -> list[str]:
        """The command line of a run."""
        return ["train", str(recipe), "--data", str(self.data), "--out", str(out)]


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few questions are tokenised sooner than a second process is started."""
    monkeypatch.setenv("LACUNA_THREADS", "1")


@pytest.fixture(scope="session")
def caches(toy_data: Path, encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache of the toy recipe."""
    from lacuna_lab.train.cache import labelling_here
    from lacuna_lab.train.run import plan_run, prepare

    toy = Toy(toy_data, encoder, Path(), tmp_path_factory.mktemp("recipe"))
    folder = tmp_path_factory.mktemp("caches")
    plan = plan_run(toy.recipe(), toy_data, folder)
    prepare(plan, partial(labelling_here, plan.tokenizer, 1))
    return folder


@pytest.fixture
def stopped(lacuna: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command of training that stops after a step."""

    def run(*arguments: object) -> Any:
        with monkeypatch.context() as patch:
            patch.setenv("LACUNA_STOP_AFTER", "0")
            return lacuna(*arguments)

    return run


@pytest.fixture
def toy(toy_data: Path, encoder: Path, caches: Path, tmp_path: Path) -> Toy:
    """A tiny encoder, data for it, and room for runs."""
    return Toy(toy_data, encoder, caches, tmp_path)
