"""Notebooks: cells in order, what they printed, and files that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.notebook import parse_notebook
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped
from lacuna.places import PlaceUnit


def parsed(notebook: Any, name: str = "tide tables.ipynb") -> Page | Skipped:
    (found,) = parse_notebook(Entry(name, json.dumps(notebook).encode()))
    return found


def page_of(*cells: dict[str, Any], **more: Any) -> Page:
    page = parsed({"cells": list(cells), "nbformat": 4, **more})
    assert isinstance(page, Page)
    return page


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source.splitlines(True), "outputs": list(outputs)}


def markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source}


def shown(**data: Any) -> dict[str, Any]:
    named = {kind.replace("_", "/"): value for kind, value in data.items()}
    return {"output_type": "execute_result", "data": named}


def test_cells_in_order_with_their_numbers() -> None:
    page = page_of(
        markdown("# Tides\n\nSee [the port](port.ipynb#a)."),
        code("x = [[1]]\nx", shown(text_plain=["[[1]]"])),
        markdown("## *After*\n\n- one"),
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python", "version": "3.11.2"},
            "authors": [{"name": "Jane Doe"}],
        },
    )
    assert page.document.title == "Tides"
    assert page.document.text == (
        "See the port.\n\nx = [[1]]\nx\n\n[[1]]\n\nAfter\n\none\n\nProperties\n\n"
        "author: Jane Doe\nkernel: Python 3\nlanguage: python\nlanguage version: 3.11.2"
    )
    assert [link.target for link in page.links] == ["port.ipynb#a"]
    origin = page.document.origin
    assert origin is not None
    assert origin.unit is PlaceUnit.CELL
    assert str(origin.at(page.document.text.index("one"))) == "tide tables.ipynb, cell 3"
    assert origin.at(page.document.text.index("x =")).number == 2


@pytest.mark.parametrize(
    ("output", "read"),
    [
        ({"output_type": "stream", "text": "\x1b[31mhigh\x1b[0m\n 1%\r50%\r100%\n"}, "high\n100%"),
        (shown(text_markdown="**high**", text_plain="x"), "high"),
        (shown(image_png="iVBORw0KGgo=", text_plain="<Figure size 432x288 with 1 Axes>"), ""),
        (shown(text_plain="[<matplotlib.lines.Line2D at 0x7f>]", image_png="AAAA"), ""),
        (shown(text_html="<b>no</b>", text_plain="yes"), "yes"),
        (
            shown(
                text_html="<table><tr><th></th><th>m</th></tr><tr><th>0</th><td>4</td></tr></table>"
            ),
            "0 | m: 4",
        ),
        (
            {
                "output_type": "error",
                "ename": "KeyError",
                "evalue": "'tide'",
                "traceback": ["long"],
            },
            "KeyError: 'tide'",
        ),
        ({"output_type": "stream", "text": "line\n" * 9000}, "line\n" * 799 + "line"),
        ({"output_type": "stream", "text": {"no": "text"}}, ""),
    ],
)
def test_outputs_are_what_a_reader_sees(output: dict[str, Any], read: str) -> None:
    assert page_of(code("x", output)).document.text == "x\n\n" * bool(read) + (read or "x")


def test_the_third_version_has_worksheets() -> None:
    cells = [
        {"cell_type": "heading", "level": 1, "source": "Tides"},
        {"cell_type": "markdown", "source": ["They ", "rise."]},
        {"cell_type": "code", "input": "x", "outputs": [{"output_type": "pyout", "text": ["1"]}]},
    ]
    page = parsed({"worksheets": [{"cells": cells}], "metadata": {"name": ""}})
    assert isinstance(page, Page)
    assert page.document.title == "Tides"
    assert page.document.text == "They rise.\n\nx\n\n1"


def test_front_matter_in_the_first_cell() -> None:
    raw = {"cell_type": "raw", "source": "---\ntitle: Tides\nauthor: Jane\n---"}
    page = page_of(raw, markdown("They rise."))
    assert page.document.title == "Tides"
    assert page.document.text == "They rise.\n\nProperties\n\nauthor: Jane"


def test_without_a_heading_the_file_names_it() -> None:
    assert page_of(code("x")).document.title == "tide tables"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"not json", "it is not a notebook: its content is no JSON"),
        (b"[" * 100_000, "it is not a notebook: its content is no JSON"),
        (b"9" * 10_000, "it is not a notebook: its content is no JSON"),
        (b"[]", "it is not a notebook, or it has no cells"),
        (b'{"cells": 3}', "it is not a notebook, or it has no cells"),
        (b'{"cells": [{"cell_type": "markdown", "source": ""}]}', "it has no text"),
        (b"\xff", "byte 0 is not UTF-8; save the file as UTF-8"),
    ],
)
def test_what_is_no_notebook_is_skipped(data: bytes, reason: str) -> None:
    assert list(parse_notebook(Entry("a.ipynb", data))) == [Skipped("a.ipynb", reason)]


WORDS = st.sampled_from(
    [
        "cells",
        "cell_type",
        "code",
        "markdown",
        "raw",
        "heading",
        "source",
        "input",
        "outputs",
        "text",
        "output_type",
        "error",
        "ename",
        "data",
        "text/html",
        "text/plain",
        "<table><tr><td>x",
        "# T\n",
        "[a](b)",
        "worksheets",
        "metadata",
        "kernelspec",
        "authors",
        "name",
        "title",
        "level",
        "---\na: b\n---",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)
CELL = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]), "source": VALUES},
    optional={"outputs": VALUES, "level": VALUES, "input": VALUES},
)


@settings(deadline=None)
@given(
    VALUES
    | st.fixed_dictionaries(
        {"cells": st.lists(CELL | VALUES, max_size=4)}, optional={"metadata": VALUES}
    )
)
def test_any_json_is_read_or_skipped(notebook: Any) -> None:
    found = parsed(notebook)
    if isinstance(found, Page):
        text, origin = found.document.text, found.document.origin
        assert origin is not None
        offsets = [offset for offset, _ in origin.marks]
        assert offsets == sorted(offsets)
        assert all(0 <= offset < len(text) for offset in offsets)
        assert all(0 <= link.start < link.end <= len(text) for link in found.links)
