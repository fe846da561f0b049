"""Broken items are named by file, number and field; the others can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from dataset_files import FILES, load, questions, save

from lacuna import LacunaError, get_dataset
from lacuna.errors import ItemError

QA = ("data", 0, "paragraphs", 0, "qas")
FLEET = ("fleet_1", "qa_pairs")
ONE, NOTHING = "item 1", object()
# the dataset; where to change what; the item and the field that the error names; what it expects
Place = tuple[str | int, ...]
BROKEN: list[tuple[str, Place, Any, str, str, str]] = [
    ("iirc", (0, "links", 0, "indices"), [5, 9999], ONE, "links[0].indices", "within the text"),
    ("iirc", (0, "questions", 1, "answer", "type"), "word", ONE, "answer.type", "span, value"),
    ("iirc", (0, "questions", 2, "answer", "answer_value"), "?", ONE, "answer_value", "yes or no"),
    ("iirc", (1, "questions", 0, "answer", "answer_spans"), [], "item 2", "spans", "at least one"),
    ("hotpotqa", (1, "context", 1), ["Tarn"], "item 2", "context[1]", "[title, [sentence"),
    ("hotpotqa", (0, "supporting_facts", 0), ["T", "1"], ONE, "_facts[0]", "of the sentence"),
    ("hotpotqa", (0, "question"), NOTHING, ONE, "question", "a text, found nothing"),
    ("hotpotqa", (0, "answer"), 12, ONE, "answer", "a text, found the number 12"),
    ("openbookqa", (1, "answerKey"), "E", "line 2", "answerKey", "one of the labels A, B, C, D"),
    ("openbookqa", (0, "answer_starts"), [3], "line 1", "answer_spans[0]", "a span of the fact"),
    ("openbookqa", (0, "question", "choices", 2, "text"), 7, "line 1", "choices[2].text", "text"),
    ("quac", (*QA, 1, "answers", 0, "answer_start"), 3, ONE, "answer_start", "'the first woman"),
    ("quac", (*QA, 0, "yesno"), "j", ONE, "paragraphs[0].qas[0].yesno", "y, n or x"),
    ("quac", (*QA, 0, "orig_answer"), "cook", ONE, "orig_answer", "an object, found 'cook'"),
    ("squad", (*QA, 0, "answers", 0, "answer_start"), -1, ONE, "answer_start", "0 or more"),
    ("squad", (*QA, 0, "is_impossible"), True, ONE, "is_impossible", "false where there are"),
    ("squad", (*QA, 1, "id"), "s1", ONE, "id", "'s1' a second time"),
    ("drop", (*FLEET, 1, "answer", "spans"), "T", "item 1 ('fleet_1')", "spans", "a list of texts"),
    ("drop", (*FLEET, 2, "answer", "date"), "1940", "item 1 ('fleet_1')", "date", "day, month"),
]  # fmt: skip


@pytest.mark.parametrize(("dataset_name", "place", "value", "item", "field", "expected"), BROKEN)
def test_a_broken_item_is_named(
    examples: Path,
    tmp_path: Path,
    dataset_name: str,
    place: Place,
    value: Any,
    item: str,
    field: str,
    expected: str,
) -> None:
    content = inner = load(examples / FILES[dataset_name])
    for step in place[:-1]:
        inner = inner[step]
    if value is NOTHING:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    path = save(tmp_path / FILES[dataset_name], content)
    with pytest.raises(ItemError) as caught:
        questions(dataset_name, path)
    message = str(caught.value)
    assert message.startswith(f"{path}, {item}, field ")
    assert caught.value.field.endswith(field)
    assert expected in message
    assert "LACUNA_SKIP_BAD=1" in message


def test_a_key_that_an_item_has_twice_is_named_and_can_be_skipped(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    good = '{"_id": "b", "question": "?", "context": []}'
    path.write_text(f'[{{"_id": "a", "question": "?", "question": "!", "context": []}}, {good}]')
    with get_dataset("hotpotqa").open(path, skip_bad=True) as reader:
        assert [question.id for question in reader.questions()] == ["b"]
    assert "field question: expected every key once" in str(reader.bad[0])


def test_skip_bad_reports_and_goes_on(tmp_path: Path) -> None:
    good = {"_id": "a", "question": "?", "context": []}
    items = [good, {"_id": "b", "question": 5, "context": []}, dict(good), {**good, "_id": "c"}]
    path = save(tmp_path / "file.json", items)
    with get_dataset("hotpotqa").open(path, skip_bad=True) as reader:
        assert [question.id for question in reader.questions()] == ["a", "c"]
    assert [error.item for error in reader.bad] == ["item 2", "item 3"]
    assert "'a' a second time" in str(reader.bad[1])


@pytest.mark.parametrize("name", ["squad", "drop"])
def test_a_forbidden_sign_beside_the_items_is_told(
    name: str, examples: Path, tmp_path: Path
) -> None:
    """In SQuAD's version, and in a key of DROP."""
    content = load(examples / FILES[name])
    if name == "squad":
        content["version"] = "v2\0"
    else:
        content["\0"] = content.pop(next(iter(content)))
    with pytest.raises(LacunaError, match="a NUL character"):
        questions(name, save(tmp_path / FILES[name], content))


def test_a_bad_key_costs_one_item(examples: Path, tmp_path: Path) -> None:
    content = load(examples / "drop.json")
    count = len(questions("drop", examples / "drop.json"))
    content["bad\0"] = next(iter(content.values()))
    path = save(tmp_path / "drop.json", content)
    with get_dataset("drop").open(path, skip_bad=True) as reader:
        assert len(list(reader.questions())) == count
        assert len(reader.bad) == 1
