"""What a reader takes in, its writer gives back, whatever the file leaves out or adds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import formats
import pytest
from hypothesis import HealthCheck, given, settings

from lacuna.datasets import get_dataset

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("round-trip")


def given_back(folder: Path, dataset_name: str, content: Any, name: str = "file.json") -> Any:
    source, target = folder / name, folder / f"again-{name}"
    lines = name.endswith(".jsonl")
    source.write_text(
        "".join(json.dumps(item) + "\n" for item in content) if lines else json.dumps(content)
    )
    dataset = get_dataset(dataset_name)
    if lines and not content:
        return []
    with dataset.open(source) as reader:
        dataset.copy(reader, target)
    written = target.read_text(encoding="utf-8")
    return (
        [json.loads(line) for line in written.split("\n") if line] if lines else json.loads(written)
    )


@quick
@given(content=formats.squad())
def test_squad(folder: Path, content: list[Any]) -> None:
    whole = {"version": "v2.0", "data": content}
    assert given_back(folder, "squad", whole) == whole
    assert given_back(folder, "squad", content, "file.jsonl") == content


@quick
@given(content=formats.quac())
def test_quac(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "quac", {"data": content}) == {"data": content}
    assert given_back(folder, "quac", content, "file.jsonl") == content


@quick
@given(content=formats.hotpotqa())
def test_hotpotqa(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "hotpotqa", content) == content
    assert given_back(folder, "hotpotqa", content, "file.jsonl") == content


@quick
@given(content=formats.hotpotqa_paragraphs())
def test_hotpotqa_paragraphs(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "hotpotqa", content, "file.jsonl") == content


@quick
@given(content=formats.hotpotqa_gold_sentences())
def test_hotpotqa_gold_sentences(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "hotpotqa", content, "file.jsonl") == content


@quick
@given(content=formats.iirc_snippets())
def test_iirc_snippets(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "iirc", content, "file.jsonl") == content


@quick
@given(content=formats.openbookqa())
def test_openbookqa(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "openbookqa", content) == content
    assert given_back(folder, "openbookqa", content, "file.jsonl") == content


@quick
@given(content=formats.drop())
def test_drop(folder: Path, content: dict[str, Any]) -> None:
    assert given_back(folder, "drop", content) == content


@quick
@given(content=formats.drop())
def test_iirc_as_its_authors_score_it(folder: Path, content: dict[str, Any]) -> None:
    assert given_back(folder, "iirc", content) == content


@quick
@given(content=formats.drop_reduced())
def test_drop_reduced(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "drop", content) == content


@quick
@given(content=formats.iirc())
def test_iirc(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "iirc", content) == content
    assert given_back(folder, "iirc", content, "file.jsonl") == content


@quick
@given(content=formats.real_questions())
def test_real_questions(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "real", content) == content
    assert given_back(folder, "real", content, "file.jsonl") == content


@quick
@given(content=formats.real_dialogs())
def test_real_dialogs(folder: Path, content: list[Any]) -> None:
    assert given_back(folder, "real", content) == content
    assert given_back(folder, "real", content, "file.jsonl") == content


def test_facts_as_plain_text(folder: Path) -> None:
    facts = folder / "facts.txt"
    facts.write_bytes(b'"metals conduct heat"\r\n\r\nwater is wet\r\n')
    openbookqa = get_dataset("openbookqa")
    with openbookqa.open(facts) as reader:
        openbookqa.copy(reader, folder / "again.txt")
    assert (folder / "again.txt").read_bytes() == facts.read_bytes()


def test_a_header_may_stand_before_the_data(folder: Path) -> None:
    content = {
        "author": "nobody",
        "data": [{"title": "T", "paragraphs": [{"context": "", "qas": []}]}],
    }
    assert given_back(folder, "squad", content) == content


@pytest.mark.parametrize(
    ("dataset_name", "name"),
    [
        ("iirc", "iirc.json"),
        ("hotpotqa", "hotpotqa.json"),
        ("openbookqa", "openbookqa.jsonl"),
        ("quac", "quac.json"),
        ("squad", "squad.json"),
        ("drop", "drop.json"),
        ("real", "real.json"),
    ],
)
def test_the_examples(folder: Path, examples: Path, dataset_name: str, name: str) -> None:
    text = (examples / name).read_text(encoding="utf-8")
    lines = name.endswith(".jsonl")
    content = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    assert given_back(folder, dataset_name, content, name) == content
