"""Files with one object a line."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna_lab.data.sources import LINE_FORMATS, read_lines

GOOD = {"question": "is it old", "title": "T", "passage": "It is.", "answer": True}
KEYS = ("question", "title", "passage", "answer", "answers", "id", "context", "label", "kind")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=8,
)


def test_broken_lines_are_counted_and_the_others_read(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join([json.dumps(GOOD), "{", "", "[]", json.dumps(GOOD)]))
    left_out: Counter[str] = Counter()
    read = list(read_lines(path, LINE_FORMATS["boolq"], left_out, "broken"))
    assert [question.id for question in read] == ["1", "5"]
    assert left_out == {"broken": 2}


@pytest.mark.parametrize("name", LINE_FORMATS)
@given(lines=st.lists(VALUES, max_size=4))
def test_no_line_stops_the_reading(name: str, lines: list[object]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "lines.jsonl")
        path.write_text("\n".join(map(json.dumps, lines)))
        left_out: Counter[str] = Counter()
        read = list(read_lines(path, LINE_FORMATS[name], left_out, "broken"))
    assert len(read) + left_out["broken"] == len(lines)
