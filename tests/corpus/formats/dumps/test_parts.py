"""A dump in parts gives what the whole gives."""

from __future__ import annotations

import bz2
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lacuna.corpus.formats import dumps as parts
from lacuna.corpus.formats.detect import detect_source, open_source
from lacuna.corpus.formats.dumps import ParquetRows
from lacuna.corpus.formats.mediawiki import Streams
from lacuna.corpus.store import Skipped, SourceItem
from lacuna.errors import LacunaError
from lacuna.types import Document

NAMESPACES = '<siteinfo><namespaces><namespace key="6">Datei</namespace></namespaces></siteinfo>'


def page(number: int) -> str:
    if number % 7 == 3:
        return f'<page><title>Old {number}</title><ns>0</ns><redirect title="Page 1"/></page>'
    text = f"[[Datei:X.png|thumb]] '''Page {number}''' follows [[Page {number - 1}]]."
    return (
        f"<page><title>Page {number}</title><ns>{number % 5 // 4}</ns>"
        f"<revision><text>{text}</text></revision></page>"
    )


def multistream(folder: Path, pages: int, each: int) -> Path:
    """A dump as Wikimedia makes it, with so many pages in a stream, and its index."""
    path = folder / "xwiki-20300101-pages-articles-multistream1.xml-p1p99.bz2"
    whole = bz2.compress(f"<mediawiki>{NAMESPACES}".encode())
    lines = []
    for start in range(0, pages, each):
        numbers = range(start, min(start + each, pages))
        lines += [f"{len(whole)}:{number}:Page {number}" for number in numbers]
        whole += bz2.compress("".join(map(page, numbers)).encode())
    path.write_bytes(whole + bz2.compress(b"</mediawiki>"))
    index = folder / "xwiki-20300101-pages-articles-multistream-index1.txt-p1p99.bz2"
    index.write_bytes(bz2.compress("\n".join(lines).encode()))
    return path


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "PART_BYTES", 1600)


def in_parts(path: Path, kind: type) -> list[SourceItem]:
    dump = detect_source(path).dump
    assert dump is not None
    assert parts.has_parts(dump)
    found = list(parts.parts_of(dump, path))
    assert len(found) > 2
    assert all(isinstance(part, kind) for part in found)
    return [item for part in found for item in parts.items_of(part)]


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("each", [1, 7, 30])
def test_the_streams_of_a_wiki(tmp_path: Path, each: int) -> None:
    dump = multistream(tmp_path, 100, each)
    whole = list(open_source(dump))
    assert len(whole) == 100
    assert in_parts(dump, Streams) == whole
    texts = [item.text for item in whole if isinstance(item, Document)]
    assert texts[0] == "Page 0 follows Page -1.", "what a wiki calls its files is known everywhere"


def test_a_wiki_without_pages(tmp_path: Path) -> None:
    dump = multistream(tmp_path, 0, 1)
    detected = detect_source(dump, "mediawiki").dump
    assert detected is not None
    assert [list(parts.items_of(part)) for part in parts.parts_of(detected, dump)] == [[]]


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(
    ("index", "told"),
    [
        (b"40:1:Page 1\n300:2:Page 2\n", "cut off or damaged|does not fit"),
        (b"Page 1\n", "line 1 does not begin with an offset"),
    ],
)
def test_an_index_that_does_not_fit(tmp_path: Path, index: bytes, told: str) -> None:
    dump = multistream(tmp_path, 60, 10)
    path = next(tmp_path.glob("*index1*"))
    path.write_bytes(bz2.compress(index))
    with pytest.raises(LacunaError, match=told):
        in_parts(dump, Streams)


def rows(count: int) -> Iterator[dict[str, Any]]:
    for number in range(1, count + 1):
        linked = [{"start": 0, "end": 4, "target": f"Fish {number - 1}"}] if number != 9 else []
        text = f"Fish {number} is a herring." if number != 9 else ""
        yield {"title": f"Fish {number}", "text": text, "links": linked, "id": number}


@pytest.mark.usefixtures("small_parts")
def test_the_rows_of_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "fish.parquet"
    parquet.write_table(pa.Table.from_pylist(list(rows(100))), path, row_group_size=15)
    whole = list(open_source(path))
    assert [item.title for item in whole[:8] if isinstance(item, Document)][-1] == "Fish 8"
    assert whole[8] == Skipped("fish.parquet, row 9", "it has no text")
    document = whole[50]
    assert isinstance(document, Document)
    assert (document.links[0].target, document.extra["id"]) == ("Fish 50", 51)
    assert in_parts(path, ParquetRows) == whole


@pytest.mark.parametrize("damage", ["cut", "column"])
def test_parquet_that_cannot_be_read(tmp_path: Path, damage: str) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "fish.parquet"
    parquet.write_table(pa.Table.from_pylist([{"title": "A", "body": "B"}]), path)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-20])
    told = "cut off or damaged" if damage == "cut" else "has no column 'text'"
    with pytest.raises(LacunaError, match=told):
        list(open_source(path))
