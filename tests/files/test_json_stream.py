from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.errors import LacunaError
from lacuna.files import json as json_decode
from lacuna.files import json as json_window
from lacuna.files.json import JsonItems, Shape, decode_whole, shape_of, write_items
from lacuna.files.opening import open_text
from lacuna.files.writing import replace_text

plain_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | plain_text,
    lambda inner: st.lists(inner) | st.dictionaries(plain_text, inner),
    max_leaves=20,
)


def items_of(path: Path, shape: Shape | None = None) -> list[Any]:
    with open_text(path) as source:
        items = JsonItems(source, shape or shape_of(source))
        return [item.problem or item.value for item in items]


@settings(max_examples=60)
@given(st.lists(values, max_size=6), st.integers(1, 9))
def test_what_is_written_is_read(tmp_path_factory: Any, written: list[Any], chunk: int) -> None:
    """A window of a few characters must give what a large one gives."""
    folder = tmp_path_factory.mktemp("stream")
    for shape in (Shape.LIST, Shape.LINES, Shape.DATA, Shape.MAP):
        path = folder / "file"
        with replace_text(path) as out:
            items = ((str(number), value) for number, value in enumerate(written))
            write_items(out, items, shape, {"version": "1"})
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(json_window, "CHUNK", chunk)
            assert items_of(path, shape) == written


def test_memory_is_bounded_by_the_item_not_by_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_window, "CHUNK", 64)
    path = tmp_path / "many.json"
    path.write_text(json.dumps([{"n": n} for n in range(1000)]))
    with open_text(path) as source:
        items = JsonItems(source, Shape.LIST)
        stream = iter(items)
        assert next(stream).value == {"n": 0}
        frame = stream.gi_frame  # type: ignore[attr-defined]
        window = frame.f_locals["window"]
        for _ in stream:
            assert len(window._window) <= 4 * 64


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ('[{"a": 1}]', Shape.LIST),
        ('{"data": []}', Shape.DATA),
        ('{"version": "1.1", "data": []}', Shape.DATA),
        ('{"p1": {"passage": ""}}', Shape.MAP),
        ('{"id": "a"}', Shape.LINES),
        ('{"question": {"stem": ""}}', Shape.LINES),
        ("\ufeff  \n[]", Shape.LIST),
        ("{}", Shape.MAP),
    ],
)
def test_the_shape_is_seen_from_the_beginning(tmp_path: Path, text: str, shape: Shape) -> None:
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    with open_text(path) as source:
        assert shape_of(source) is shape


def test_a_jsonl_file_is_lines_whatever_it_begins_with(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text('{"data": []}\n\n{"data": [1]}\n')
    assert items_of(path) == [{"data": []}, {"data": [1]}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"a": 1}, {"a": }]', "item 2.*expecting value at character 17"),
        ('[{"a": 1} {"a": 2}]', "after item 1.*expected ',' or ']'"),
        ('[{"a": 1}', "after item 1.*the end of the file"),
        ('[{"a": NaN}]', "NaN is not a number"),
        ('[{"a": -Infinity}]', "-Infinity is not a number"),
        ('[{"a": 1e999}]', "too large"),
        ("[" * 100_000, "nested too deeply"),
        ("[1] [2]", "more follows.*name the file .jsonl"),
        ('[{"a": "\t"}]', "invalid control character"),
        ('{"data": [1], "x"}', "key 'x'"),
        ('{"data": 5}', 'no list of items under "data"'),
    ],
)
def test_broken_json_says_where_it_breaks(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with pytest.raises(LacunaError, match=message):
        items_of(path)


def test_a_broken_line_does_not_hide_the_lines_after_it(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text('{"a": 1}\n{"a": \n{"a": NaN}\n{"a": 4}\n')
    first, second, third, fourth = items_of(path)
    assert (first, fourth) == ({"a": 1}, {"a": 4})
    assert "expected a JSON value" in str(second)
    assert "NaN" in str(third)


def test_nul_and_half_surrogates_are_a_problem_of_their_item(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(r'[{"a": ["x", "\u0000"]}, {"b": "\ud800"}, {"c": "\ud83d\ude00"}]')
    first, second, third = items_of(path)
    assert str(first) == "a[1]: expected text without it, found a NUL character at 0"
    assert "half of a surrogate pair" in str(second)
    assert third == {"c": "😀"}


def test_an_error_far_from_the_end_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not as an item that is too long: more text could not have mended it."""
    monkeypatch.setattr(json_window, "CHUNK", 1 << 10)
    monkeypatch.setattr(json_decode, "LARGEST_VALUE", 1 << 14)
    path = tmp_path / "file.json"
    path.write_text('[{"a": 1}, {"a": oops}, ' + ", ".join(['{"a": 2}'] * 10_000) + "]")
    with pytest.raises(LacunaError, match=r"item 2.*expecting value at character 17"):
        items_of(path)


@pytest.mark.parametrize("shape", [Shape.LIST, Shape.LINES])
def test_an_endless_item_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: Shape
) -> None:
    monkeypatch.setattr(json_window, "CHUNK", 1 << 10)
    monkeypatch.setattr(json_decode, "LARGEST_VALUE", 1 << 16)
    path = tmp_path / "long"
    path.write_text('["' + "x" * (1 << 18) + '"]')
    with pytest.raises(LacunaError, match="is longer than"):
        items_of(path, shape)


def test_a_key_that_stands_twice_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('{"p": {"a": 1}, "p": {"a": 2}}')
    first, second = items_of(path)
    assert first == {"a": 1}
    assert "a second time" in str(second)
    with open_text(path) as source, pytest.raises(LacunaError, match="p: expected every key once"):
        decode_whole(source)


@pytest.mark.parametrize("text", ["{", '{"a": NaN}', '{"a": 1} x', '{"a": "\\ud800"}', "[" * 99999])
def test_a_whole_file_that_is_not_json_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(text)
    with open_text(path) as source, pytest.raises(LacunaError, match=r"not valid JSON|surrogate"):
        decode_whole(source)


def test_a_whole_file_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_decode, "LARGEST_VALUE", 10)
    path = tmp_path / "file.json"
    path.write_text('{"a": "0123456789"}')
    with open_text(path) as source, pytest.raises(LacunaError, match="too long"):
        decode_whole(source)


def test_a_key_twice_in_what_nests_too_deeply(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text(f'[[{{"a": 1, "a": 2}}, {"[" * 100_000}{"]" * 100_000}]]')
    with pytest.raises(LacunaError, match="nested too deeply"):
        items_of(path)
