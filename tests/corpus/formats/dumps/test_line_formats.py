"""JSON lines, HotpotQA's dumps, IIRC's articles and plain text."""

from __future__ import annotations

import bz2
import json
import os
from pathlib import Path
from typing import Any

import pytest

from lacuna.corpus.formats.dumps import read_hotpot_abstracts, read_iirc_articles, read_jsonl
from lacuna.corpus.store import Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.types import Document, Link, Span


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def only(found: list[SourceItem]) -> Document:
    (document,) = found
    assert isinstance(document, Document)
    return document


def anchors(document: Document) -> list[tuple[str, str, str]]:
    return [
        (document.text[link.start : link.end], link.target, link.fragment)
        for link in document.links
    ]


def test_jsonl_keeps_text_links_and_other_fields(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    links = [{"start": 2, "end": 6, "target": "Boat", "fragment": "Hull"}]
    path.write_bytes(
        lines({"title": "A", "text": "A boat.  \n\nOld. Slow.", "links": links, "n": 1})
    )
    document = only(list(read_jsonl(path)))
    assert document.links == (Link(2, 6, "Boat", "Hull"),)
    assert document.paragraphs == (Span(0, 7), Span(11, 21))
    assert document.sentences == (Span(0, 7), Span(11, 15), Span(16, 21))
    assert document.extra == {"n": 1}


def test_jsonl_skips_lines_that_are_not_as_they_should_be(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_bytes(
        b"{not json\n"
        + lines([1], {"title": "A"}, {"title": "", "text": "x"}, {"title": "A", "text": " "})
        + lines({"title": "A", "text": "x", "links": [{"start": 0, "end": 9, "target": "B"}]})
        + lines({"title": "A", "text": "good"})
    )
    *skipped, good = read_jsonl(path)
    assert isinstance(good, Document)
    assert [item.where for item in skipped if isinstance(item, Skipped)] == [
        f"d.jsonl, line {number}" for number in range(1, 7)
    ]


def test_hotpot_dump_keeps_its_sentences_and_links(tmp_path: Path) -> None:
    folder = tmp_path / "AA"
    folder.mkdir()
    sentences = ['<a href="Old%20ferry%23Hull">Ferries</a> sail.', ' See <a href="x">X</a>, too.']
    value = {"id": "1", "url": "u", "title": "A &amp; B", "text": ["no"], "charoffset": []}
    (folder / "wiki_00.bz2").write_bytes(
        bz2.compress(lines({**value, "text_with_links": sentences}))
    )
    document = only(list(read_hotpot_abstracts(tmp_path)))
    assert document.title == "A & B"
    assert document.text == "Ferries sail. See X, too."
    assert [document.sentence(0), document.sentence(1)] == ["Ferries sail.", " See X, too."]
    assert anchors(document) == [("Ferries", "Old ferry", "Hull"), ("X", "X", "")]
    assert document.extra == {"id": "1", "url": "u"}


def test_hotpot_full_dump_has_paragraphs_after_its_title(tmp_path: Path) -> None:
    path = tmp_path / "wiki_00.bz2"
    text = [["Ferry"], ["It sails.", " It is old."], ["It sank."]]
    path.write_bytes(bz2.compress(lines({"title": "Ferry", "text": text, "charoffset": []})))
    document = only(list(read_hotpot_abstracts(path)))
    assert document.text == "It sails. It is old.\n\nIt sank."
    assert document.paragraphs == (Span(0, 20), Span(22, 30))
    assert len(document.sentences) == 3


def test_hotpot_pool_and_sample_lines(tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    path.write_bytes(
        lines(
            {"title": "A", "sentences": ["It sails.", " It is old."]},
            {"_id": "7", "title": "B", "text": "It sank. It was old.", "metadata": {}},
            {"title": "C", "sentences": 3},
        )
    )
    first, second, third = read_hotpot_abstracts(path)
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert first.sentences == (Span(0, 9), Span(9, 20))
    assert second.sentences == (Span(0, 8), Span(9, 20))
    assert isinstance(third, Skipped)


def test_iirc_articles_are_html_with_lower_case_links(tmp_path: Path) -> None:
    path = tmp_path / "context_articles.json"
    text = 'The <a href="Old%20Ferry">ferry</a> sails.\nIt is <a href="http://x.y">old</a>.'
    path.write_text(json.dumps({"the river": text, "bad": 3, "empty": ""}))
    river, *skipped = read_iirc_articles(path)
    assert isinstance(river, Document)
    assert river.text == "The ferry sails.\n\nIt is old."
    assert anchors(river) == [("ferry", "old ferry", "")]
    assert [item.where for item in skipped if isinstance(item, Skipped)] == ["bad", "empty"]


def test_text_that_is_not_utf8_or_cut_off_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_bytes(b'{"title": "caf\xe9", "text": "x"}\n')
    with pytest.raises(LacunaError, match="not UTF-8"):
        list(read_jsonl(path))
    path.write_bytes(bz2.compress(lines({"title": "A", "text": "x" * 5000}))[:-10])
    with pytest.raises(LacunaError, match="cut off or damaged"):
        list(read_jsonl(path))


@pytest.mark.skipif("LACUNA_DATA" not in os.environ, reason="LACUNA_DATA names no data folder")
@pytest.mark.parametrize(("name", "count"), [("pool", 75_844), ("sample", 27_654)])
def test_all_abstracts_are_read(name: str, count: int) -> None:
    data = Path(os.environ["LACUNA_DATA"]) / "hotpotqa" / f"abstracts_{name}.jsonl.gz"
    found = list(read_hotpot_abstracts(data))
    assert [type(item) for item in found] == [Document] * count
