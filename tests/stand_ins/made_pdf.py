"""PDF files made for tests: text at places of pages, an outline, links, pictures."""

from __future__ import annotations

from dataclasses import dataclass, field

FONTS = {"plain": "Helvetica", "bold": "Helvetica-Bold", "code": "Courier"}


@dataclass
class MadePage:
    """A page of 600 by 800 points."""

    content: list[str] = field(default_factory=list)
    links: list[tuple[tuple[float, float, float, float], str]] = field(default_factory=list)
    picture: bool = False

    def write(self, x: float, y: float, text: str, size: float = 10, font: str = "plain") -> None:
        """Put one line of text at a place."""
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.content.append(f"BT /{font} {size} Tf 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET")

    def write_lines(
        self, x: float, y: float, lines: list[str], size: float = 10, font: str = "plain"
    ) -> None:
        """Put lines below each other, at the usual distance."""
        for number, line in enumerate(lines):
            self.write(x, y - number * size * 1.2, line, size, font)


def made_pdf(
    pages: list[MadePage],
    info: dict[str, str] | None = None,
    outline: list[tuple[str, int]] | None = None,
    locked: bool = False,
) -> bytes:
    """The bytes of a file with these pages; ``outline`` has titles and page numbers from 0."""
    objects: list[str] = []

    def add(body: str) -> int:
        objects.append(body)
        return len(objects)

    catalog, tree, marks = add(""), add(""), add("")
    fonts = " ".join(
        f"/{name} {add(f'<< /Type /Font /Subtype /Type1 /BaseFont /{font} >>')} 0 R"
        for name, font in FONTS.items()
    )
    image = add(
        "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray "
        "/BitsPerComponent 8 /Length 1 >>\nstream\nx\nendstream"
    )
    kids = []
    for page in pages:
        stream = "\n".join(page.content) + ("\nq 600 0 0 800 0 0 cm /im Do Q" * page.picture)
        content = add(f"<< /Length {len(stream.encode('latin-1'))} >>\nstream\n{stream}\nendstream")
        links = [
            add(
                f"<< /Type /Annot /Subtype /Link /Rect [{' '.join(map(str, box))}] "
                f"/A << /S /URI /URI ({target}) >> >>"
            )
            for box, target in page.links
        ]
        annotations = " ".join(f"{number} 0 R" for number in links)
        kids.append(
            add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 600 800] "
                f"/Contents {content} 0 R "
                f"/Annots [{annotations}] /Resources << /Font << {fonts} >> "
                f"/XObject << /im {image} 0 R >> >> >>"
            )
        )
    references = " ".join(f"{number} 0 R" for number in kids)
    objects[tree - 1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{references}] >>"
    objects[catalog - 1] = f"<< /Type /Catalog /Pages {tree} 0 R /Outlines {marks} 0 R >>"
    first = len(objects) + 1
    entries = outline or []
    for number, (title, at) in enumerate(entries):
        following = f"/Next {first + number + 1} 0 R" if number + 1 < len(entries) else ""
        add(f"<< /Title ({title}) /Parent {marks} 0 R /Dest [{kids[at]} 0 R /Fit] {following} >>")
    ends = f"/First {first} 0 R /Last {len(objects)} 0 R" if entries else ""
    objects[marks - 1] = f"<< /Type /Outlines {ends} >>"
    told = add("<< " + " ".join(f"/{key} ({value})" for key, value in (info or {}).items()) + " >>")
    extra = f"/Info {told} 0 R"
    if locked:
        secret = add(f"<< /Filter /Standard /V 1 /R 2 /P -4 /O <{'ab' * 32}> /U <{'cd' * 32}> >>")
        extra += f" /Encrypt {secret} 0 R /ID [<00> <00>]"
    return _file(objects, catalog, extra)


def _file(objects: list[str], catalog: int, extra: str) -> bytes:
    data = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    tail = f"trailer\n<< /Size {len(objects) + 1} /Root {catalog} 0 R {extra} >>\n"
    return data + f"{head}{tail}startxref\n{len(data)}\n%%EOF\n".encode("latin-1")
