"""The characters of an HTML file, whatever it says of its encoding."""

from __future__ import annotations

import re

from lacuna.corpus.formats.charsets import decoded_by_name

CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
BYTE_ORDER = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
VOID = "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
SELF_CLOSED = re.compile(
    rf"<(?!(?:{VOID})[\s/>])([A-Za-z][\w:.-]*+)([^<>]*+)(?<=/)>", re.IGNORECASE
)
IS_XML = re.compile(r"\s*+<\?xml|[^>]{0,200}//DTD XHTML|[^>]*>\s*<html[^>]*xmlns=", re.IGNORECASE)


def decoded(data: bytes) -> tuple[str, str]:
    """The text, and a note if some of it could not be decoded."""
    for mark, charset in BYTE_ORDER:
        if data.startswith(mark):
            return data[2:].decode(charset, "replace"), ""
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} is not UTF-8"
    declared = CHARSET.search(data[:2048])
    charset = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    # Browsers read these as Windows-1252, and pages are written for browsers.
    charset = "cp1252" if charset in ("iso-8859-1", "latin1", "us-ascii", "ascii") else charset
    if (text := decoded_by_name(data, charset)) is not None:
        return text, ""
    return data.decode("utf-8", "replace"), f"{problem}; such bytes were replaced"


def as_html(text: str) -> str:
    """XHTML as an HTML parser understands it: what closes itself there gets an end.

    >>> as_html("<?xml version='1.0'?><title/><p>One<br/>two</p>")
    "<?xml version='1.0'?><title/></title><p>One<br/>two</p>"
    """
    if "/>" not in text or not IS_XML.match(text[:2000]):
        return text
    return SELF_CLOSED.sub(r"<\1\2></\1>", text)
