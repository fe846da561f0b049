"""No reader takes time that grows with the square of what it reads."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from doubling import is_quadratic
from hostile_fragments import FRAGMENTS, a_pattern, grown

from lacuna.corpus.formats.base import get_format
from lacuna.corpus.formats.dumps import IIRC_ARTICLE
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.mediawiki import REDIRECT, WIKITEXT_PAGE

SUFFIXES = {"markdown": ".mdx", "mail": ".eml", "table": ".csv"}


def reader(name: str) -> Callable[[str], object]:
    pieces = {"wikitext": WIKITEXT_PAGE, "iirc article": IIRC_ARTICLE}
    known = pieces.get(name) or get_format(name)
    assert known.parse is not None
    parse = known.parse

    def read(text: str) -> object:
        if name == "wikitext":
            REDIRECT.match(text)
            text = f"[[], []]\n{text}"
        elif name == "notebook":
            cells = [{"cell_type": "markdown", "source": [text]}]
            text = json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})
        return list(parse(Entry(f"page{SUFFIXES.get(name, '')}", text.encode())))

    return read


def test_a_reader_takes_no_more_than_linear_time(
    rounds: Callable[[], Iterator[random.Random]],
) -> None:
    readers = {name: reader(name) for name in FRAGMENTS}
    for read in readers.values():
        read("# Once\n\nSo that all is loaded. It is.\n")
    for rng in rounds():
        name = rng.choice(list(readers))
        pattern = a_pattern(name, rng)
        assert not is_quadratic(readers[name], partial(grown, pattern)), (name, pattern)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("markdown", (["# x", " ", "y"], "")),
        ("html", (["<option>"], "")),
        ("html", (["a=1 "], "<p ")),
        ("html", (["</b>", "<div>"], "")),
        ("wikitext", (["a"], "[//")),
        ("wikitext", ([" "], "#redirect")),
        ("org", (["a\n"], "[[file")),
        ("rst", (["-", ">"], "")),
        ("rst", (["'", "/a_é"], "a_&")),
        ("rst", (["*:a.b ", "\n==="], "")),
    ],
)
def test_what_was_found(name: str, pattern: tuple[list[str], str]) -> None:
    read = reader(name)
    read("# Once\n\nSo that all is loaded. It is.\n")
    assert not is_quadratic(read, partial(grown, pattern))
