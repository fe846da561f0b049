"""What pictures, formulas and links in a line of text say."""

from __future__ import annotations

import re
from collections.abc import Mapping

from selectolax.lexbor import LexborNode

Attributes = Mapping[str, str | None]

SMALLEST_PICTURE = 64
"""Pixels; what is smaller is an icon, and what it shows stands beside it in words."""
LONGEST_ALT = 1000
HIGHEST_FRAME = 4
FRAME = re.compile(r"(?:.*\s)?(?:thumb(?!nail)|figure|gallery|image-wrapper|wp-caption)")
NO_WORDS = re.compile(
    r"\[.*\]|\(.*\)|.*\.(?:png|jpe?g|gif|svg|webp|bmp|ico)|\W*|"
    r"(?:the )?(?:image|img|picture|photo|logo|icon|screenshot|figure|diagram|avatar|enlarge|badge|"
    r"note|tip|warning|caution|important|up|home|next|prev|previous)\d*",
    re.IGNORECASE | re.DOTALL,
)
"""Alternative texts that say no more than that there is a picture."""
NOT_FOLLOWED = ("javascript:", "data:", "about:", "vbscript:")
UPPER = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")


def is_link(attributes: Attributes) -> bool:
    """Whether an anchor leads somewhere."""
    href = (attributes.get("href") or "").strip()
    return bool(href) and not href.lower().startswith(NOT_FOLLOWED)


def alt_text(attributes: Attributes) -> str:
    """What a picture shows in words, if somebody wrote it and it says something."""
    alt = " ".join((attributes.get("alt") or "").split())
    if not alt or len(alt) > LONGEST_ALT or NO_WORDS.fullmatch(alt):
        return ""
    sizes = (attributes.get("width") or "", attributes.get("height") or "")
    if any(
        size.isascii() and size.isdigit() and int(size[:6]) < SMALLEST_PICTURE for size in sizes
    ):
        return alt if "math" in (attributes.get("class") or "") else ""
    return alt


class Captions:
    """Tells which pictures stand in a frame with words under them, which say the same or more."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    def has(self, picture: LexborNode) -> bool:
        above = picture.parent
        for _ in range(HIGHEST_FRAME):
            if above is None:
                return False
            if above.tag == "figure" or FRAME.match(above.attributes.get("class") or ""):
                known = self._known.get(above.mem_id)
                if known is None:
                    known = self._known[above.mem_id] = bool(above.text().strip())
                return known
            above = above.parent
        return False


def formula(node: LexborNode, attributes: Attributes) -> str:
    """A formula as its author wrote it, or else its signs."""
    if alt := attributes.get("alttext"):
        return alt
    written = node.css_first("annotation")
    if written is not None and "tex" in (written.attributes.get("encoding") or "").lower():
        return written.text()
    return " ".join(node.text(separator=" ").split())


def raised(text: str) -> str | None:
    """An exponent in raised digits, so that 10 to the 6th is not read as 106.

    >>> raised("-6"), raised("st")
    ('⁻⁶', None)
    """
    digits = text.strip()
    if len(digits) > 6 or not digits.lstrip("+-−").isdigit() or not digits.isascii():
        return None
    return digits.translate(UPPER)
