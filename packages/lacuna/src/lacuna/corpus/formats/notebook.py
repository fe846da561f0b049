"""Jupyter notebooks: one page each, its cells in order with what they printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.front_matter import Field, FrontMatter, split_front_matter
from lacuna.corpus.formats.markdown import (
    MarkdownWriter,
    main_heading,
    markdown_tokens,
    title_of_file,
)
from lacuna.corpus.formats.plain import decoded
from lacuna.corpus.page import Page
from lacuna.corpus.page_builder import Fact, PageBuilder, add_facts
from lacuna.corpus.store import Skipped
from lacuna.places import PlaceUnit

LONGEST_OUTPUT = 4000
"""Characters of one output; a log that goes on for longer says little more."""
LONGEST_ERROR = 300
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
OBJECT = re.compile(r"<[\w.]+(?: [^<>\n]*)?>|\[?<[\w.]+ (?:object )?at 0x[^\n]*")
"""Python's text for something that shows itself as a picture."""


def parse_notebook(entry: Entry) -> Iterator[Page | Skipped]:
    """A notebook as a page; places in it are numbers of cells."""
    text = decoded(entry)
    if isinstance(text, Skipped):
        yield text
        return
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        yield Skipped(entry.name, "it is not a notebook: its content is no JSON")
        return
    cells = _cells(notebook)
    if not cells:
        yield Skipped(entry.name, "it is not a notebook, or it has no cells")
        return
    page = _page(entry.name, notebook, cells)
    yield page if page.document.text else Skipped(entry.name, "it has no text")


def _page(name: str, notebook: dict[str, Any], cells: list[dict[str, Any]]) -> Page:
    above = _front_matter(cells[0])
    given = next(above.values("title"), "") or _text(_part(notebook, "metadata").get("title"))
    builder = PageBuilder(given.strip() or _first_heading(cells) or title_of_file(name))
    writer = MarkdownWriter(builder)
    for number, cell in enumerate(cells, 1):
        builder.mark(number)
        if number > 1 or not above.fields:
            _write_cell(writer, cell, number)
    fields = [*above.facts(), *_facts(notebook)]
    add_facts(builder, (Fact(field.key, field.text, line=1) for field in fields))
    return builder.page(name, unit=PlaceUnit.CELL)


def _cells(notebook: Any) -> list[dict[str, Any]]:
    """The cells; the third version of the format has them on sheets."""
    if not isinstance(notebook, dict):
        return []
    sheets = notebook.get("worksheets")
    holders = [notebook, *(sheets if isinstance(sheets, list) else [])]
    lists = [holder.get("cells") for holder in holders if isinstance(holder, dict)]
    return [cell for cells in lists if isinstance(cells, list) for cell in cells if _is_cell(cell)]


def _is_cell(cell: Any) -> bool:
    return isinstance(cell, dict) and isinstance(cell.get("cell_type"), str)


def _source(cell: dict[str, Any]) -> str:
    written = _text(cell.get("source") or cell.get("input"))
    if cell["cell_type"] == "heading":
        level = cell.get("level")
        return "#" * (level if isinstance(level, int) and 1 <= level <= 6 else 1) + " " + written
    return written


def _is_markdown(cell: dict[str, Any]) -> bool:
    return cell["cell_type"] in ("markdown", "heading")


def _front_matter(cell: dict[str, Any]) -> FrontMatter:
    """Quarto and others keep front matter in the first cell."""
    return split_front_matter(_source(cell) if cell["cell_type"] == "raw" else "")


def _first_heading(cells: list[dict[str, Any]]) -> str:
    for cell in filter(_is_markdown, cells):
        if heading := main_heading(markdown_tokens(_source(cell))[0]):
            return heading
    return ""


def _write_cell(writer: MarkdownWriter, cell: dict[str, Any], number: int) -> None:
    source = _source(cell)
    if _is_markdown(cell):
        _write_markdown(writer, source, number)
        return
    writer.write_code(source)
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        if isinstance(output, dict):
            _write_output(writer, output, number)


def _write_markdown(writer: MarkdownWriter, text: str, number: int) -> None:
    tokens, lines = markdown_tokens(text)
    writer.write(tokens, [number] * len(lines))


def _write_output(writer: MarkdownWriter, output: dict[str, Any], number: int) -> None:
    if output.get("output_type") in ("error", "pyerr"):
        message = f"{_text(output.get('ename'))}: {_text(output.get('evalue'))}"
        writer.write_code(_printed(message[:LONGEST_ERROR]))
        return
    data = _part(output, "data")
    html = _text(data.get("text/html") or output.get("html"))
    markdown = _text(data.get("text/markdown"))
    plain = _text(data.get("text/plain") or output.get("text"))
    if "<table" in html and len(html) <= 10 * LONGEST_OUTPUT:
        writer.write_html(html)
    elif markdown:
        _write_markdown(writer, _cut(markdown), number)
    elif plain and not OBJECT.fullmatch(plain.strip()):
        writer.write_code(_printed(plain))


def _printed(text: str) -> str:
    """Show a text as a terminal does: no colours, and of a line written over itself the last
    state."""
    lines = ESCAPES.sub("", _cut(text)).replace("\r\n", "\n").split("\n")
    return "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


def _cut(text: str) -> str:
    if len(text) <= LONGEST_OUTPUT:
        return text
    return text[:LONGEST_OUTPUT].rpartition("\n")[0] or text[:LONGEST_OUTPUT]


def _facts(notebook: dict[str, Any]) -> Iterator[Field]:
    metadata = _part(notebook, "metadata")
    kernel = _part(metadata, "kernelspec")
    language = _part(metadata, "language_info")
    authors = metadata.get("authors")
    named = [
        _text(author.get("name"))
        for author in (authors if isinstance(authors, list) else ())
        if isinstance(author, dict)
    ]
    facts = (
        ("author", ", ".join(named)),
        ("kernel", _text(kernel.get("display_name"))),
        ("language", _text(language.get("name") or kernel.get("language"))),
        ("language version", _text(language.get("version"))),
    )
    for key, value in facts:
        if words := " ".join(value[:LONGEST_ERROR].split()):
            yield Field(key, (words,), 1)


def _part(holder: dict[str, Any], key: str) -> dict[str, Any]:
    part = holder.get(key)
    return part if isinstance(part, dict) else {}


def _text(written: Any) -> str:
    """A text, which a notebook may keep as a list of lines."""
    if isinstance(written, list):
        return "".join(line for line in written if isinstance(line, str))
    return written if isinstance(written, str) else ""
