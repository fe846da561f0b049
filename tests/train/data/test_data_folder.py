"""Files under the names that their authors or this project gave them."""

from __future__ import annotations

import gzip
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna_lab.data.sources import (
    DEV,
    FILE_FORMATS,
    LINE_FORMATS,
    PARAGRAPHS,
    SOURCES,
    TRAIN,
    DataFile,
    content_digest,
    questions_of,
    read,
    source_files,
)

OFFICIAL_EXAMPLES = {
    "squad/train-v1.1.json": "squad.json",
    "squad/train-v2.0.json": "squad.json",
    "hotpotqa/hotpot_train_v1.1.json": "hotpotqa.json",
    "iirc/train.json": "iirc.json",
    "quac/train_v0.2.json": "quac.json",
    "drop/drop_dataset_train.json": "drop.json",
    "openbookqa/train_complete.jsonl": "openbookqa.jsonl",
}
EMPTY: dict[str, Any] = {
    "squad/dev-v1.1.json": {"data": []},
    "squad/dev-v2.0.json": {"data": []},
    "hotpotqa/hotpot_dev_distractor_v1.json": [],
    "iirc/dev.json": [],
    "quac/val_v0.2.json": {"data": []},
    "drop/drop_dataset_dev.json": {},
}


@pytest.fixture
def official(examples: Path, tmp_path: Path) -> Path:
    """A folder as ``lacuna data fetch`` leaves it; its dev files hold nothing of the examples."""
    for name, example in OFFICIAL_EXAMPLES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(examples / example, tmp_path / name)
    for name, empty in EMPTY.items():
        (tmp_path / name).write_text(json.dumps(empty))
    other = {"id": "x", "question": {"stem": "What is it?", "choices": []}, "answerKey": ""}
    (tmp_path / "openbookqa/dev_complete.jsonl").write_text(json.dumps(other))
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, source in SOURCES.items()
        if source.files and all(TRAIN[file].official for file in source.files)
    ],
)
def test_official_files_are_read_under_their_own_names(official: Path, name: str) -> None:
    assert source_files([name], official)
    left_out: Counter[str] = Counter()
    questions = list(questions_of(name, official, 1, left_out))
    if name != "yes_no_both":  # the example has too few articles to compare
        assert questions, left_out
    assert len({question.id for question in questions}) == len(questions)


def test_every_official_name_is_one_that_fetching_leaves() -> None:
    fetched = set()
    for name in {file.dataset for file in TRAIN.values() if file.official}:
        downloads = get_dataset(name).downloads
        assert downloads is not None
        for download in downloads.files:
            fetched |= {path.as_posix() for path in download.paths(Path(name))}
    for file in (*TRAIN.values(), *DEV.values()):
        assert file.official == bool(fetched & set(file.names))
    assert OFFICIAL_EXAMPLES.keys() | EMPTY.keys() <= fetched


def test_the_first_name_counts_and_any_may_be_gzipped(official: Path) -> None:
    file = TRAIN["hotpotqa"]
    assert file.find(official).name == "hotpot_train_v1.1.json"
    plain = file.find(official)
    with gzip.open(official / "hotpotqa/train.json.gz", "wb") as out:
        out.write(plain.read_bytes())
    assert file.find(official).name == "train.json.gz"
    assert [question.id for question in read(file, official)]


def test_a_missing_file_is_named_with_all_names_it_may_have(tmp_path: Path) -> None:
    with pytest.raises(LacunaError) as caught:
        source_files(["quac"], tmp_path)
    message = str(caught.value)
    assert "quac/train.json or quac/train_v0.2.json" in message
    assert ".gz" in message
    assert "lacuna data fetch quac" in message
    with pytest.raises(LacunaError, match=r"2wikimultihopqa/train\.json.*not among"):
        source_files(["twowiki"], tmp_path)


def test_dev_files_that_are_not_official_count_where_they_are(official: Path) -> None:
    before = source_files(["squad1"], official)
    (official / "boolq").mkdir()
    dev = official / DEV["boolq"].names[0]
    line = {"question": "is it old", "title": "T", "passage": "It is old.", "answer": True}
    dev.write_text(json.dumps(line))
    assert set(source_files(["squad1"], official)) - set(before) == {dev}


def test_the_paragraphs_are_needed_by_one_source_alone(official: Path) -> None:
    before = source_files(["iirc"], official)
    (official / "hotpotqa/train_gold_only.jsonl").write_text("{}")
    with pytest.raises(LacunaError, match="abstracts_pool"):
        source_files(["hotpotqa_gold"], official)
    paragraphs = official / PARAGRAPHS.names[0]
    paragraphs.write_text("{}")
    assert set(source_files(["iirc"], official)) - set(before) == {paragraphs}
    assert paragraphs in source_files(["hotpotqa_gold"], official)


def test_a_digest_covers_names_and_contents(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("text")
    one, two = tmp_path / "one", tmp_path / "two"
    assert content_digest([one]) == content_digest([two]) == content_digest([two / "file"])
    (one / "file").write_text("TEXT")
    (two / "file").rename(two / "other")
    assert len({content_digest([path]) for path in (one, two, tmp_path)}) == 3


def test_a_file_may_be_optional(tmp_path: Path) -> None:
    assert DataFile("iirc", ("iirc/none.json",)).find_optional(tmp_path) is None


def test_what_only_measures_is_never_trained_on(
    tmp_path: Path, examples: Path, official: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    datasets = {file.dataset for file in TRAIN.values()} - LINE_FORMATS.keys() - FILE_FORMATS.keys()
    assert all(get_dataset(name).for_training for name in datasets)
    shutil.copyfile(examples / "real.json", official / "real.json")
    monkeypatch.setitem(TRAIN, "squad1", DataFile("real", ("real.json",)))
    with pytest.raises(LacunaError, match="real is for measuring alone"):
        list(questions_of("squad1", official, 1, Counter()))
