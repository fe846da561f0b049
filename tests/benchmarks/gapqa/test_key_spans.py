"""Key spans against people's, where KGD's file is given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from benchmarks.gapqa.key_spans import wanted_spans


def test_people_may_have_chosen_several_spans(tmp_path: Path) -> None:
    asked = {"stem": "What lets heat pass?", "choices": [{"text": "tin", "label": "A"}]}
    known = {
        "id": "1",
        "question": asked,
        "fact": "metal lets heat pass",
        "answer_spans": ["metal", "heat"],
        "answerKey": "A",
    }
    bare = {"id": "2", "question": asked, "fact1": "metal is hard", "answerKey": "A"}
    file = tmp_path / "kgd.jsonl"
    file.write_text("\n".join(map(json.dumps, (known, bare))))
    questions, spans = wanted_spans(file)
    assert [question.fact for question in questions] == ["metal lets heat pass"]
    assert spans == [[(0, 5), (11, 15)]]
