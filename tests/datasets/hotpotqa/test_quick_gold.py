"""The quick way to the gold gives what the slow one gives, or leaves the file to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from dataset_files import questions

from lacuna import LacunaError, get_dataset


def test_the_quick_way_to_hotpotqas_gold_agrees_with_the_slow_one(examples: Path) -> None:
    quick = get_dataset("hotpotqa").gold_at_once(examples / "hotpotqa.json")
    assert quick is not None
    slow = questions("hotpotqa", examples / "hotpotqa.json", gold_only=True)
    assert [(q.id, q.text, q.gold) for q in quick] == [(q.id, q.text, q.gold) for q in slow]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]x",
        '[{"_id": "a", "question": "?", "context": []}]',
        '[{"_id": "a", "question": "?", "answer": "\\u0000", "supporting_facts": []}]',
        '[{"_id": "a", "question": "?", "answer": "", "supporting_facts": []},'
        ' {"_id": "a", "question": "?", "answer": "", "supporting_facts": []}]',
    ],
)
def test_the_quick_way_leaves_odd_files_to_the_slow_one(tmp_path: Path, content: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(content)
    assert get_dataset("hotpotqa").gold_at_once(path) is None
    assert get_dataset("hotpotqa").gold_at_once(tmp_path / "missing.json") is None


def test_a_file_that_nests_deeply_is_told(tmp_path: Path) -> None:
    path = tmp_path / "hotpotqa.json"
    path.write_text(f'[{{"_id": "a", "context": {"[" * 100_000}{"]" * 100_000}}}]')
    assert get_dataset("hotpotqa").gold_at_once(path) is None
    with pytest.raises(LacunaError, match="nested too deeply"):
        questions("hotpotqa", path)
