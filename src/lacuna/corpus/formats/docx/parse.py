"""DOCX files: one page each, with its headings, lists, tables, links and notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from lacuna.corpus.formats.docx.blocks import Block, Paragraph
from lacuna.corpus.formats.docx.body import Body
from lacuna.corpus.formats.docx.package import Package, UnreadableDocxError, parse_xml
from lacuna.corpus.formats.docx.styles import StyleRole, Styles, read_styles
from lacuna.corpus.formats.docx.writing import DocxWriter
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.pages.facts import Fact, add_facts
from lacuna.corpus.pages.page import Page
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.source_item import Skipped

MAIN_PART = "word/document.xml"
PROPERTIES = {
    "creator": "author",
    "subject": "subject",
    "keywords": "keywords",
    "category": "category",
    "description": "description",
    "created": "created",
    "modified": "modified",
}
DATES = ("created", "modified")
LONGEST_VALUE = 1000
NOT_A_TITLE = ("word document", "document", "untitled", "title", "microsoft word document")


def parse_docx(entry: Entry) -> Iterator[Page | Skipped]:
    """A document; where it calls itself nothing, the file's name is the title."""
    try:
        yield _page(entry)
    except UnreadableDocxError as error:
        yield Skipped(entry.name, str(error))


def _page(entry: Entry) -> Page | Skipped:
    package = Package(entry.data)
    roots = dict(package.relations("").values())
    main = roots.get("officeDocument", MAIN_PART)
    content = package.part(main)
    if content is None:
        return Skipped(entry.name, "it is no DOCX file: it has no text part")
    relations = package.relations(main)
    parts = dict(relations.values())
    styles = read_styles(package, parts.get("styles", "word/styles.xml"))
    body = _body(content, relations)
    notes = {}
    for kind in ("footnote", "endnote"):
        name = parts.get(f"{kind}s", "")
        if name and (written := package.part(name)):
            found = _body(written, package.relations(name)).notes
            notes.update({(kind, number): blocks for number, blocks in found.items()})
    facts = _properties(package, roots.get("core-properties", "docProps/core.xml"))
    told = facts.pop("title", "")
    title, names = _title(body.blocks, styles, told, entry.name)
    builder = PageBuilder(title)
    DocxWriter(builder, styles, notes).write(body.blocks)
    if not builder.has_paragraph:
        return Skipped(entry.name, "it has no text")
    add_facts(builder, _shown(facts))
    return builder.page(entry.name, names=names)


def _body(content: bytes, relations: Mapping[str, tuple[str, str]]) -> Body:
    links = {key: target for key, (kind, target) in relations.items() if kind == "hyperlink"}
    return Body(content, links)


def _title(
    blocks: list[Block], styles: Styles, told: str, file: str
) -> tuple[str, tuple[str, ...]]:
    """The title in the text, else the one in the properties, else the heading above all."""
    if told.casefold() in NOT_A_TITLE:
        told = ""
    paragraphs = [block for block in blocks if isinstance(block, Paragraph) and block.text]
    shown = next((p.text for p in paragraphs if styles.role(p.style) is StyleRole.TITLE), "")
    levels = [paragraph.level or styles.level(paragraph.style) for paragraph in paragraphs]
    leads = bool(levels) and levels[0] > 0 and all(not n or n > levels[0] for n in levels[1:])
    title = shown or told or (paragraphs[0].text if leads else PurePosixPath(file).stem)
    return title[:300], (told,) if told and told != title else ()


def _properties(package: Package, part: str) -> dict[str, str]:
    content = package.part(part)
    facts: dict[str, str] = {}
    open_element = ""

    def start(element: str, _: Mapping[str, str]) -> None:
        nonlocal open_element
        open_element = element

    def characters(text: str) -> None:
        if open_element in PROPERTIES or open_element == "title":
            facts[open_element] = (facts.get(open_element, "") + text)[:LONGEST_VALUE]

    parse_xml(content or b"<none/>", start, characters=characters)
    return {key: shown for key, value in facts.items() if (shown := " ".join(value.split()))}


def _shown(facts: Mapping[str, str]) -> Iterator[Fact]:
    for key, name in PROPERTIES.items():
        if value := facts.get(key):
            yield Fact(name, value[:10] if key in DATES else value)
