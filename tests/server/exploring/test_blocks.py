"""Documents as blocks, whatever they were read from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.serve.exploring import blocks_of, styles_of
from lacuna.types import Document, Section, Span

MARKDOWN = """# Tern

Some **bold** and *soft* words with `code`.

- one
- two
  - inner

  goes on
3. third
4. fourth

> A quotation.

## Plans

| Plan | Price |
|---|---|
| Gold | $20 |
| Tin | $2 |

```
x = 1
```

After it.
"""
HTML = """<h1>Tern</h1><p>Some <b>bold</b> and <i>soft</i> words with <code>code</code>.</p>
<ul><li>one</li><li>two<ul><li>inner</li></ul>goes on</li></ul>
<ol><li>third</li><li>fourth</li></ol>
<blockquote><p>A quotation.</p></blockquote><h2>Plans</h2>
<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Gold</td><td>$20</td></tr>
<tr><td>Tin</td><td>$2</td></tr></table><pre>x = 1</pre><p>After it.</p>"""
PARTS = [
    ("paragraph", 0, "Some bold and soft words with code."),
    ("item", 1, "one"),
    ("item", 1, "two"),
    ("item", 2, "inner"),
    ("item", 1, "goes on"),
    ("item", 1, "third"),
    ("item", 1, "fourth"),
    ("paragraph", 0, "A quotation."),
    ("heading", 2, "Plans"),
    ("table", 0, "Plan: Gold | Price: $20\nPlan: Tin | Price: $2"),
    ("code", 0, "x = 1"),
    ("paragraph", 0, "After it."),
]


def stored(folder: Path, name: str, text: str) -> Document:
    """A file as a store gives its document back."""
    notes = folder / "notes"
    notes.mkdir()
    (notes / name).write_text(text, encoding="utf-8")
    with Store.create(folder / "corpus") as store:
        with store.writer() as writer:
            refresh_source(writer, notes)
        return next(iter(store))


@pytest.mark.parametrize(("name", "text"), [("Tern.md", MARKDOWN), ("Tern.html", HTML)])
def test_what_the_parts_are(tmp_path: Path, name: str, text: str) -> None:
    document = stored(tmp_path, name, text)
    blocks = blocks_of(document)
    shown = [(block.kind, block.level, document.text[block.start : block.end]) for block in blocks]
    assert shown == PARTS
    assert [block.continues for block in blocks].index(True) == 4
    assert [block.quoted for block in blocks].index(True) == 7
    assert [block.number is not None for block in blocks].count(True) == 2
    styles = [(one.kind, document.text[one.start : one.end]) for one in styles_of(document)]
    assert styles == [("strong", "bold"), ("emphasis", "soft"), ("code", "code")]


@pytest.mark.parametrize(("name", "text"), [("Tern.md", MARKDOWN), ("Tern.html", HTML)])
def test_cells_of_a_table(tmp_path: Path, name: str, text: str) -> None:
    document = stored(tmp_path, name, text)
    (table,) = (block for block in blocks_of(document) if block.rows)
    cells = [
        [
            (document.text[slice(*cell.label)], document.text[cell.start : cell.end])
            for cell in row.cells
            if cell.label
        ]
        for row in table.rows
    ]
    assert cells == [[("Plan", "Gold"), ("Price", "$20")], [("Plan", "Tin"), ("Price", "$2")]]


def test_numbers_of_items(tmp_path: Path) -> None:
    blocks = blocks_of(stored(tmp_path, "Tern.md", MARKDOWN))
    assert [block.number for block in blocks if block.number] == [3, 4]


def test_all_of_the_text_is_in_some_block(tmp_path: Path) -> None:
    document = stored(tmp_path, "Tern.md", MARKDOWN)
    at = 0
    for block in blocks_of(document):
        number = f"{block.number}." if block.number and not block.continues else ""
        assert document.text[at : block.start].strip() == number
        at = block.end
    assert not document.text[at:].strip()


def test_a_document_of_an_older_store_has_its_headings(tmp_path: Path) -> None:
    document = replace(stored(tmp_path, "Tern.md", MARKDOWN), markup=())
    kinds = {(block.kind, block.level) for block in blocks_of(document)}
    assert kinds == {("heading", 1), ("paragraph", 0)}
    assert styles_of(document) == []


def test_a_document_without_paragraphs() -> None:
    text = "  All of it.\n"
    blocks = blocks_of(Document("Tern", text, sections=(Section(("Tern", "No"), 0, 5),)))
    assert [(block.kind, text[block.start : block.end]) for block in blocks] == [
        ("paragraph", "All of it.")
    ]
    assert blocks_of(Document("Tern", "", paragraphs=(Span(0, 0),))) == []


def test_code_that_is_empty_marks_nothing(tmp_path: Path) -> None:
    document = stored(tmp_path, "Tern.md", "# Tern\n\n```\n```\n\nNo code.\n")
    assert [block.kind for block in blocks_of(document)] == ["paragraph"]
