"""PowerPoint, Excel and OpenDocument files made for tests, from the XML of their parts.

The XML is what python-pptx, openpyxl and LibreOffice write, without what only says how it looks.
"""

from __future__ import annotations

import io
import zipfile

KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SLIDE_NAMES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    f'xmlns:r="{KINDS}"'
)
SHEET_NAMES = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{KINDS}"'
ODF = "urn:oasis:names:tc:opendocument:xmlns"
ODF_NAMES = " ".join(
    f'xmlns:{name}="{ODF}:{name}:1.0"'
    for name in ("office", "text", "table", "presentation", "meta")
) + (
    f' xmlns:draw="{ODF}:drawing:1.0" xmlns:svg="{ODF}:svg-compatible:1.0"'
    ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def zipped(parts: dict[str, str]) -> bytes:
    """The bytes of an archive."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return written.getvalue()


def relations(targets: dict[str, tuple[str, str]]) -> str:
    """The XML of references: a kind and a target by their identifiers."""
    return "".join(
        f'<Relationship Id="{key}" Type="{KINDS}/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if '://' in target else ''}/>"
        for key, (kind, target) in targets.items()
    ).join(("<Relationships>", "</Relationships>"))


def shape(kind: str, *paragraphs: str) -> str:
    """A shape on a slide: a placeholder of a kind, or a loose text box; text or its XML."""
    place = f'<p:ph type="{kind}"/>' if kind else ""
    texts = "".join(
        f"<a:p>{text if text.startswith('<') else f'<a:r><a:t>{text}</a:t></a:r>'}</a:p>"
        for text in paragraphs
    )
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr id='2' name='S'/><p:nvPr>{place}</p:nvPr></p:nvSpPr>"
        f"<p:txBody><a:bodyPr/>{texts}</p:txBody></p:sp>"
    )


def made_pptx(
    slides: list[str],
    *,
    notes: dict[int, str] | None = None,
    links: dict[str, str] | None = None,
    core: str = "",
    shown: str = "",
    head: str = "",
) -> bytes:
    """The bytes of a presentation from the shapes of its slides; the last slide comes first in the
    archive, as nothing says that it must not. ``shown`` are attributes of the last slide."""
    order = {f"r{n}": ("slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1)}
    listed = "".join(f'<p:sldId id="{256 + n}" r:id="r{n}"/>' for n in range(1, len(slides) + 1))
    parts = {
        "_rels/.rels": relations({"a": ("officeDocument", "ppt/presentation.xml")}),
        "ppt/_rels/presentation.xml.rels": relations(order),
        "docProps/core.xml": f"<core>{core}</core>",
    }
    for number in range(len(slides), 0, -1):
        more = shown if number == len(slides) else ""
        parts[f"ppt/slides/slide{number}.xml"] = (
            f"{head}<p:sld {SLIDE_NAMES} {more}><p:cSld><p:spTree>{slides[number - 1]}"
            "</p:spTree></p:cSld></p:sld>"
        )
        targets = {key: ("hyperlink", target) for key, target in (links or {}).items()}
        if notes and number in notes:
            targets["n"] = ("notesSlide", f"../notesSlides/notesSlide{number}.xml")
            parts[f"ppt/notesSlides/notesSlide{number}.xml"] = (
                f"<p:notes {SLIDE_NAMES}>{shape('sldImg')}{shape('body', notes[number])}"
                f"{shape('sldNum', '7')}</p:notes>"
            )
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(targets)
    parts["ppt/presentation.xml"] = (
        f"<p:presentation {SLIDE_NAMES}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"
    )
    return zipped(parts)


def made_xlsx(
    sheets: dict[str, str],
    *,
    shared: list[str] | None = None,
    formats: tuple[str, ...] = (),
    hidden: tuple[str, ...] = (),
    core: str = "",
    workbook: str = "",
) -> bytes:
    """The bytes of a workbook from the rows of its sheets; cells of ``s="1"`` and above have the
    ``formats``."""
    names = list(sheets)
    listed = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"'
        f"{' state=' + chr(34) + 'hidden' + chr(34) if name in hidden else ''}/>"
        for n, name in enumerate(names, 1)
    )
    targets = {f"r{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(names) + 1)}
    targets["s"], targets["f"] = ("sharedStrings", "sharedStrings.xml"), ("styles", "styles.xml")
    codes = "".join(
        f'<numFmt numFmtId="{164 + n}" formatCode="{code}"/>' for n, code in enumerate(formats)
    )
    looks = "".join(f'<xf numFmtId="{164 + n}"/>' for n in range(len(formats)))
    words = "".join(f"<si>{word}</si>" for word in shared or ())
    return zipped(
        {
            "_rels/.rels": relations({"a": ("officeDocument", "xl/workbook.xml")}),
            "docProps/core.xml": f"<core>{core}</core>",
            "xl/_rels/workbook.xml.rels": relations(targets),
            "xl/workbook.xml": f"<workbook {SHEET_NAMES}>{workbook}<sheets>{listed}</sheets>"
            "</workbook>",
            "xl/sharedStrings.xml": f"<sst {SHEET_NAMES}>{words}</sst>",
            "xl/styles.xml": f"<styleSheet {SHEET_NAMES}><numFmts>{codes}</numFmts>"
            f"<cellStyleXfs><xf numFmtId='14'/></cellStyleXfs>"
            f"<cellXfs><xf numFmtId='0'/>{looks}</cellXfs></styleSheet>",
            **{
                f"xl/worksheets/sheet{n}.xml": f"<worksheet {SHEET_NAMES}><sheetData>"
                f"{sheets[name]}</sheetData></worksheet>"
                for n, name in enumerate(names, 1)
            },
        }
    )


def made_open_document(kind: str, body: str, *, meta: str = "", head: str = "") -> bytes:
    """The bytes of an OpenDocument file: of a ``text``, ``spreadsheet`` or ``presentation``."""
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"{head}<office:document-content {ODF_NAMES}><office:body>"
            f"<office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
            "meta.xml": f"<office:document-meta {ODF_NAMES}><office:meta>{meta}</office:meta>"
            "</office:document-meta>",
            "META-INF/manifest.xml": "<manifest/>",
        }
    )
