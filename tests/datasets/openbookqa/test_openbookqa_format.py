"""What is made of the questions of OpenBookQA, with and without annotations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dataset_files import questions, save

from lacuna import Choice, Evidence, Question, Role, get_dataset


def test_openbookqa_with_the_annotations_of_kgd(examples: Path) -> None:
    kettle, oil = questions("openbookqa", examples / "openbookqa.jsonl")
    assert kettle.fact == "metals let electricity pass"
    assert kettle.gold is not None
    assert kettle.gold.relations == ("madeof", "madeof")
    assert kettle.gold.evidence is not None
    (span,) = kettle.gold.evidence
    assert (kettle.fact[span.start : span.end], span.role) == ("metals", Role.KEY_SPAN)
    assert kettle.gold.answers[0].text == "B: a copper kettle"
    assert oil.choices[3].text == "saltier than water"


def test_kgds_own_files_call_the_fact_otherwise(examples: Path, tmp_path: Path) -> None:
    raw = json.loads((examples / "openbookqa.jsonl").read_text("utf-8").splitlines()[0])
    raw["fact"] = raw.pop("fact1")
    raw["prefetched_sentences"] = {"a copper kettle": ["Kettles of copper are costly."]}
    path, again = tmp_path / "kgd.jsonl", tmp_path / "again.jsonl"
    path.write_text(json.dumps(raw) + "\n", "utf-8")
    (question,) = questions("openbookqa", path)
    assert question.fact == "metals let electricity pass"
    assert question.gold is not None
    assert question.gold.evidence == (Evidence("fact1", 0, 6, Role.KEY_SPAN),)
    with get_dataset("openbookqa").open(path) as reader:
        get_dataset("openbookqa").copy(reader, again)
    assert json.loads(again.read_text("utf-8")) == raw


def test_a_fact_beside_fact1_is_one_of_the_unknown_fields(tmp_path: Path) -> None:
    raw = {"id": "o", "question": {"stem": "?", "choices": []}, "fact1": "one", "fact": 2}
    (question,) = questions("openbookqa", save(tmp_path / "f.json", [raw]))
    assert (question.fact, question.extra["fact"]) == ("one", 2)


@pytest.mark.parametrize(
    ("choices", "subset"),
    [
        (["a copper kettle", "the oar of a boat"], "OBQA-Short"),
        (["a copper kettle", "an old copper kettle"], "longer choices"),
        (["all of these", "it is what they were"], "OBQA-Short"),
    ],
)
def test_obqa_short_is_about_words_that_are_no_stop_words(choices: list[str], subset: str) -> None:
    question = Question("o", "?", choices=tuple(Choice(text[0], text) for text in choices))
    assert get_dataset("openbookqa").facets(question)["subset"] == subset
