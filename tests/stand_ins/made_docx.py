"""DOCX files made for tests, from the XML of their bodies."""

from __future__ import annotations

import io
import zipfile

NAMES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
STYLES = "".join(
    f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{more}</w:style>'
    for key, name, more in (
        ("Titel", "Title", ""),
        ("Ueberschrift1", "heading 1", ""),
        ("Ueberschrift2", "heading 2", ""),
        ("Kapitel", "My chapter", '<w:basedOn w:val="Ueberschrift1"/>'),
        ("Liste", "List Bullet", ""),
        ("Verzeichnis1", "toc 1", ""),
    )
)


def paragraph(text: str, style: str = "", inside: str = "") -> str:
    """The XML of a paragraph with one run of text."""
    marks = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{marks}<w:r><w:t xml:space="preserve">{text}</w:t></w:r>{inside}</w:p>'


def table(rows: list[list[str]], marks: str = "", first_row: str = "") -> str:
    """The XML of a table; a cell is its XML, or its text."""
    written = ""
    for number, row in enumerate(rows):
        cells = "".join(
            cell if cell.startswith("<w:tc>") else f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row
        )
        written += f"<w:tr>{first_row if number == 0 else ''}{cells}</w:tr>"
    return f"<w:tbl><w:tblPr>{marks}</w:tblPr>{written}</w:tbl>"


def made_docx(
    body: str,
    *,
    links: dict[str, str] | None = None,
    footnotes: str = "",
    core: str = "",
    head: str = "",
) -> bytes:
    """The bytes of a document; ``links`` are addresses by their identifiers."""
    relations = "".join(
        f'<Relationship Id="{key}" Type="{KINDS}/hyperlink" Target="{target}" '
        'TargetMode="External"/>'
        for key, target in (links or {}).items()
    )
    relations += f'<Relationship Id="s" Type="{KINDS}/styles" Target="styles.xml"/>'
    relations += f'<Relationship Id="f" Type="{KINDS}/footnotes" Target="footnotes.xml"/>'
    parts = {
        "_rels/.rels": f'<Relationships><Relationship Id="a" Type="{KINDS}/officeDocument" '
        'Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"{head}<w:document {NAMES}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {NAMES}>{STYLES}</w:styles>",
        "word/footnotes.xml": f"<w:footnotes {NAMES}>{footnotes}</w:footnotes>",
        "word/_rels/document.xml.rels": f"<Relationships>{relations}</Relationships>",
        "docProps/core.xml": f"<core>{core}</core>",
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return written.getvalue()
