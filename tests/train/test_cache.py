"""Data is labelled and tokenised once, and again when anything about it changes."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from lacuna.models.reader.decode import HeadKind
from lacuna_lab.data.sources import BAD_ITEM, DEV, TRAIN
from lacuna_lab.train.cache import NO_LABEL, build_cache, cache_key, labelling_here
from lacuna_lab.train.instances import UNKNOWN, Instances


@pytest.fixture
def folder(toy_data: Path, tmp_path: Path) -> Path:
    """Data that a test may change."""
    copied = tmp_path / "data"
    shutil.copytree(toy_data, copied)
    return copied


def test_what_is_broken_is_left_out_and_counted(
    folder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    path = TRAIN["squad1"].find(folder)
    with gzip.open(path, "rt") as file:
        raw = json.load(file)
    paragraph = raw["data"][0]["paragraphs"][0]
    too_long = {**paragraph["qas"][0], "id": "long", "question": "What? " * 200}
    off = {"id": "off", "question": "What?", "answers": [{"text": "herring", "answer_start": 3}]}
    paragraph["qas"] = [paragraph["qas"][0], too_long]
    broken = {"title": "x", "paragraphs": [{"context": paragraph["context"], "qas": [off]}]}
    with gzip.open(path, "wt") as file:
        json.dump({**raw, "data": [*raw["data"], broken]}, file)
    seen: list[int] = []
    with labelling_here(tokenizer, 1) as label:
        report = build_cache(
            ["squad1"], folder, tmp_path / "x.npz", label, seed=1, progress=seen.append
        )
    assert report == {"squad1": {"questions": 2, "inputs": 1, BAD_ITEM: 1, NO_LABEL: 1}}
    assert seen == [2]
    assert len(Instances.load(tmp_path / "x.npz")) == 1


def test_what_changes_a_cache_changes_its_key(
    folder: Path, tokenizer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = cache_key(["squad1"], folder, tokenizer, 1)
    keys = {
        first,
        cache_key(["squad1"], folder, tokenizer, 2),
        cache_key(["squad1", "drop"], folder, tokenizer, 1),
    }
    assert len(keys) == 3
    assert cache_key(["drop", "squad1"], folder, tokenizer, 1) in keys
    for name, other in (("FORMAT", 0), ("__version__", "0.0.0")):
        with monkeypatch.context() as patch:
            patch.setattr(f"lacuna_lab.train.cache.{name}", other)
            assert cache_key(["squad1"], folder, tokenizer, 1) not in keys
    moved = folder.rename(folder.with_name("moved"))
    assert cache_key(["squad1"], moved, tokenizer, 1) == first


def test_the_content_of_every_file_that_is_read_counts(folder: Path, tokenizer: Path) -> None:
    def key() -> str:
        return cache_key(["squad1"], folder, tokenizer, 1)

    first = key()
    unread = TRAIN["drop"].find(folder)
    unread.write_bytes(unread.read_bytes() + b"\n")
    assert key() == first
    keys = {first}
    for file in (TRAIN["squad1"], DEV["iirc"]):
        path = file.find(folder)
        path.write_bytes(path.read_bytes()[::-1])  # as long as before
        keys.add(key())
    assert len(keys) == 3


def test_other_data_is_tokenised_and_the_same_data_is_not(
    stopped: Any, toy: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, out = toy.recipe(sources={"squad1": 1}), toy.folder / "run"
    command = ["train", recipe, "--data", folder, "--out", out]
    assert stopped(*command).code == 0
    (cache,) = out.glob("data-*.npz")

    monkeypatch.setattr("lacuna_lab.train.run.build_cache", None)
    assert stopped(*command).code == 0, "nothing is tokenised again"
    monkeypatch.undo()

    path = TRAIN["squad1"].find(folder)
    with gzip.open(path, "rt") as file:
        text = file.read()
    assert "herring" in text
    with gzip.open(path, "wt") as out_file:
        out_file.write(text.replace("herring", "haddock"))
    ran = stopped(*command)
    assert ran.code == 2
    assert "data was " in ran.err, "the old checkpoint belongs to other data"
    (out / "checkpoint.pt").unlink()
    assert stopped(*command).code == 0
    (other,) = set(out.glob("data-*.npz")) - {cache}
    assert Instances.load(other).digest() != Instances.load(cache).digest()


def test_the_kinds_of_the_toy_data(caches: Path) -> None:
    """So that the toy runs learn every head but one."""
    data = Instances.load(next(caches.glob("data-*.npz")))
    kinds = set(data.scalar("fixed").tolist())
    assert {HeadKind.NONE, HeadKind.NO} <= kinds
    for name in ("spans", "tagged", "sentences", "links", "terms"):
        assert getattr(data, name).sizes.any()
    for name in ("relevance", "choice", "yes_no_act", "follow_up_act", "count"):
        assert (data.scalar(name) != UNKNOWN).any()


def test_questions_that_stay_together_are_one_group(
    folder: Path, tokenizer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lacuna_lab.train.cache.CHUNK", 1)
    name, path = "unanswerable_twins", tmp_path / "x.npz"
    with labelling_here(tokenizer, 1) as label:
        report = build_cache([name], folder, path, label, seed=1)
    data = Instances.load(path)
    groups = data.scalar("group").tolist()
    assert len(groups) == report[name]["inputs"] >= 4
    assert groups[::2] == groups[1::2]
    assert len(set(groups)) == len(groups) / 2
    none = [fixed == HeadKind.NONE for fixed in data.scalar("fixed")]
    assert none == [True, False] * len(set(groups))
    modes = [row[1] for row in (data.ids[number] for number in range(len(data)))]
    assert modes[::2] == modes[1::2]
