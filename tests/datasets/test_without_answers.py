"""A file without its answers tells nothing of them, and asks the same questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import formats
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lacuna.datasets import get_dataset
from lacuna.datasets.convert import can_be_asked, write_without_answers
from lacuna.errors import LacunaError

MARK = "a mark that only answers and unknown fields have"
FILES = {
    "iirc": "iirc.json",
    "hotpotqa": "hotpotqa.json",
    "openbookqa": "openbookqa.jsonl",
    "quac": "quac.json",
    "squad": "squad.json",
    "drop": "drop.json",
}
GOLD = {
    "answer", "answers", "answerKey", "answer_spans", "answer_type", "question_links",
    "supporting_facts", "type", "level", "orig_answer", "yesno", "followup", "is_impossible",
    "validated_answers", "plausible_answers",
}  # fmt: skip
"""Fields that say something of an answer."""


def fields_of(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(fields_of, value.values()))
    return set().union(*map(fields_of, value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("dataset", FILES)
def test_questions_stay_and_answers_go(dataset: str, examples: Path, tmp_path: Path) -> None:
    source, target = examples / FILES[dataset], tmp_path / FILES[dataset]
    own = get_dataset(dataset)
    count = write_without_answers(own, source, target)
    with own.open(source) as before, own.open(target) as after:
        asked, left = list(before.questions()), list(after.questions())
    assert count == len(left)
    # IIRC's own texts beside the passage are gold: the sentences that answer.
    documents = [() if dataset == "iirc" else question.documents for question in asked]
    assert [(q.id, q.text, q.choices) for q in asked] == [(q.id, q.text, q.choices) for q in left]
    assert [question.documents for question in left] == documents
    assert not [q for q in left if q.gold and q.gold.answers]
    text = target.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()] if ".jsonl" in target.name else text
    found = fields_of(lines if isinstance(lines, list) else json.loads(text))
    assert not found & GOLD


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(content=st.one_of(formats.iirc(), formats.hotpotqa()))
def test_fields_that_nobody_knows_go_too(
    content: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("stripped", numbered=True)
    dataset = "iirc" if content and "questions" in content[0] else "hotpotqa"
    for item in content:
        item["note_of_the_annotator"] = MARK
        for question in item.get("questions", ()):
            question["note_of_the_annotator"] = MARK
    if not content:
        return
    (folder / "file.json").write_text(json.dumps(content))
    write_without_answers(get_dataset(dataset), folder / "file.json", folder / "out.json")
    assert MARK not in (folder / "out.json").read_text(encoding="utf-8")


def test_what_only_measures_cannot_be_stripped(examples: Path, tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="no official file of predictions"):
        write_without_answers(get_dataset("real"), examples / "real.json", tmp_path / "out.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("dataset", "setting", "asked"),
    [
        ("iirc", "oracle-context", False),
        ("iirc", "full", True),
        ("hotpotqa", "distractor", True),
        ("hotpotqa", "fullwiki", True),
        ("hotpotqa", "gold-only", False),
        ("quac", "gold-history", False),
        ("quac", "predicted-history", True),
        ("openbookqa", "core-fact", True),
        ("squad", "may-abstain", True),
        ("drop", "passage", True),
    ],
)
def test_settings_that_need_no_answers(
    dataset: str, setting: str, asked: bool, examples: Path, tmp_path: Path
) -> None:
    source, target = examples / FILES[dataset], tmp_path / FILES[dataset]
    own = get_dataset(dataset)
    write_without_answers(own, source, target)
    assert can_be_asked(own, own.setting(setting), source, target) is asked
