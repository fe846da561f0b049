"""What all datasets have in common: files without gold, of another dataset, of none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dataset_files import FILES, load, questions, save

from lacuna import LacunaError, get_dataset


@pytest.mark.parametrize("dataset_name", FILES)
def test_a_test_file_without_answers_loads(
    dataset_name: str, examples: Path, tmp_path: Path
) -> None:
    hidden = (
        *("answer", "answers", "supporting_facts", "orig_answer", "yesno", "followup"),
        *("answerKey", "validated_answers", "question_links", "answer_spans", "answer_starts"),
        *("relations", "is_impossible", "plausible_answers"),
    )

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key not in hidden}
        return [strip(inner) for inner in value] if isinstance(value, list) else value

    content = strip(load(examples / FILES[dataset_name]))
    if dataset_name == "iirc":
        for passage in content:
            for question in passage["questions"]:
                del question["context"]
    found = questions(dataset_name, save(tmp_path / FILES[dataset_name], content))
    assert found
    assert all(question.gold is None for question in found)


@pytest.mark.parametrize("dataset_name", FILES)
@pytest.mark.parametrize("other", FILES)
def test_the_wrong_dataset_is_recognised(examples: Path, dataset_name: str, other: str) -> None:
    path = examples / FILES[other]
    if dataset_name == other or (dataset_name, other) == (
        "iirc",
        "drop",
    ):  # IIRC is scored in DROP's format
        assert questions(dataset_name, path)
        return
    with pytest.raises(LacunaError, match=f"it looks like {other}"):
        questions(dataset_name, path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("file.json", "", "is empty"),
        ("file.json", "id,choice\n", "not how JSON begins"),
        ("facts.txt", "water is wet\n", "is plain text, one item a line, but a file of squad is"),
    ],
)
def test_a_file_that_is_no_dataset_is_refused(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(LacunaError, match=message):
        questions("squad", path)


def test_an_unknown_task_suggests_a_known_one() -> None:
    with pytest.raises(LacunaError, match=r"no dataset 'hotpot'. Did you mean hotpotqa\?"):
        get_dataset("hotpot")


def test_gold_only_reads_what_scoring_needs(examples: Path) -> None:
    for dataset_name, name in FILES.items():
        whole = questions(dataset_name, examples / name)
        bare = questions(dataset_name, examples / name, gold_only=True)
        assert [q.id for q in whole] == [q.id for q in bare]
        for one, other in zip(whole, bare, strict=True):
            assert one.gold is not None
            assert other.gold is not None
            texts = [(answer.kind, answer.texts) for answer in one.gold.answers]
            assert texts == [(answer.kind, answer.texts) for answer in other.gold.answers]
