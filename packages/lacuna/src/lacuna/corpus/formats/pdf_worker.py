"""Reads PDF files in a process of its own: the parser is native code, and a hostile file may
crash it or never let it end. Nothing of Lacuna is imported here, so that it starts quickly.

For each file it is given eight bytes that say how long it is, then the file. It answers with lines
of JSON: what the file is, each page, and an empty line at the end.
"""

from __future__ import annotations

import ctypes
import json
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as c

MOST_MEMORY = 3 << 30
"""Bytes of address space; a file that needs more is given up."""
MOST_SECONDS = 200.0
"""For one file."""
MOST_CHARACTERS = 200_000
"""Of one page; a page has some thousand."""
MOST_LINKS = 2000
MOST_BOOKMARKS = 20_000
METADATA = ("Title", "Author", "Subject", "Keywords", "CreationDate")
LINE_END_HYPHEN = 2
"""The character that the library makes of a hyphen at the end of a line."""

FIXED = re.compile(r"mono|courier|typewriter|consol|menlo|(cm|ec|sf|lm)tt|tt\d", re.IGNORECASE)
BOLD = re.compile(r"bold|black|heavy|demi|(cm|ec|sf)bx|cmb\d|medi$", re.IGNORECASE)
FOOTNOTE_MARK = re.compile(r"([^\W\d_]{3,}\W{0,2})[\d,*†‡]{1,4}$")
"""A mark that stands small and raised behind a word; behind less than a word it may be a power."""

Box = tuple[float, float, float, float]


def main() -> None:
    """Answer until there is nothing more to read."""
    _limit_memory()
    source, answers = sys.stdin.buffer, sys.stdout
    while len(size := source.read(8)) == 8:
        data = source.read(int.from_bytes(size, "big"))
        _end_after(MOST_SECONDS)
        try:
            for answer in _answers(data):
                answers.write(json.dumps(answer) + "\n")
        except MemoryError:
            answers.write('{"problem": "memory"}\n')
        answers.write("\n")
        answers.flush()
        _end_after(0)


def _end_after(seconds: float) -> None:
    """Whoever started this process ends it sooner, unless it is gone; 0 calls it off."""
    if hasattr(signal, "setitimer"):  # not on Windows
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def _answers(data: bytes) -> Iterator[dict[str, Any]]:
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        locked = getattr(error, "err_code", 0) in (c.FPDF_ERR_PASSWORD, c.FPDF_ERR_SECURITY)
        yield {"problem": "password" if locked else "broken"}
        return
    try:
        number_of_pages = len(document)
        yield {
            "pages": number_of_pages,
            "metadata": {key: _metadata(document, key) for key in METADATA},
            "outline": list(_outline(document)),
        }
        for number in range(number_of_pages):
            try:
                yield _page(document, number)
            except pdfium.PdfiumError:
                yield {"number": number + 1, "lines": [], "links": [], "picture": False}
    finally:
        document.close()


def _metadata(document: pdfium.PdfDocument, key: str) -> str:
    with suppress(pdfium.PdfiumError, UnicodeError):
        return str(document.get_metadata_value(key))[:2000]
    return ""


def _outline(document: pdfium.PdfDocument) -> Iterator[tuple[int, str, int]]:
    """Level, title and page of the bookmarks."""
    with suppress(pdfium.PdfiumError, UnicodeError, AttributeError, RecursionError):
        for at, mark in enumerate(document.get_toc(max_depth=8)):
            if at >= MOST_BOOKMARKS:
                return
            target = mark.get_dest()
            page = target.get_index() if target else None
            if page is not None:
                yield mark.level + 1, mark.get_title()[:300], page + 1


def _page(document: pdfium.PdfDocument, number: int) -> dict[str, Any]:
    page = document[number]
    try:
        textpage = page.get_textpage()
        try:
            lines = list(_lines(textpage))
        finally:
            textpage.close()
        width, height = page.get_size()
        return {
            "number": number + 1,
            "width": round(width, 1),
            "height": round(height, 1),
            "lines": lines,
            "links": list(_links(document, page)),
            "picture": not lines and _has_picture(page),
        }
    finally:
        page.close()


def _has_picture(page: pdfium.PdfPage) -> bool:
    wanted = (c.FPDF_PAGEOBJ_IMAGE, c.FPDF_PAGEOBJ_FORM)
    return c.FPDFPage_CountObjects(page) > 0 and any(
        c.FPDFPageObj_GetType(c.FPDFPage_GetObject(page, at)) in wanted
        for at in range(min(c.FPDFPage_CountObjects(page), 50))
    )


def _lines(textpage: pdfium.PdfTextPage) -> Iterator[dict[str, Any]]:
    """The lines as the page draws them: words with their left and right ends."""
    raw = textpage.raw
    boxes = _Boxes(raw)
    words: list[tuple[str, int, int]] = []
    word: list[str] = []
    first = 0
    for at in range(min(c.FPDFText_CountChars(raw), MOST_CHARACTERS)):
        code = c.FPDFText_GetUnicode(raw, at)
        character = "-" if code == LINE_END_HYPHEN else chr(code) if code < 0x110000 else ""
        if not character.strip() or code == 0xFFFE:
            if word:
                words.append(("".join(word), first, at - 1))
                word = []
            if code == 10 and words:
                yield boxes.line(words)
                words = []
            continue
        if not word:
            first = at
        word.append(character)
        if code == LINE_END_HYPHEN:
            words.append(("".join(word), first, at))
            yield boxes.line(words)
            words, word = [], []
    if word:
        words.append(("".join(word), first, at))
    if words:
        yield boxes.line(words)


class _Boxes:
    """The places of a page's characters, and their fonts."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._loose = c.FS_RECTF()
        self._name = ctypes.create_string_buffer(100)
        self._flags = ctypes.c_int()

    def line(self, words: list[tuple[str, int, int]]) -> dict[str, Any]:
        """One line; its height is that of most of its words."""
        placed = []
        heights = []
        for text, first, last in words:
            left, bottom, right, top = self._box(first)
            if last != first:
                _, last_bottom, right, last_top = self._box(last)
                if last_bottom > bottom and last_top - last_bottom < 0.85 * (top - bottom):
                    text = FOOTNOTE_MARK.sub(r"\1", text)
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
            placed.append((text, round(left, 1), round(right, 1)))
            heights.append((round(top - bottom, 1), round(bottom, 1), len(text)))
        usual = max(heights, key=lambda height: height[2])
        longest = words[heights.index(usual)][1]
        fonts = {self._font(at) for at in (longest, words[0][1], words[-1][2])}
        return {
            "bottom": usual[1],
            "top": round(usual[1] + usual[0], 1),
            "size": round(self._size(longest), 1) or usual[0],
            "fixed": all(fixed for fixed, _ in fonts),
            "bold": all(bold for _, bold in fonts),
            "words": placed,
        }

    def _box(self, at: int) -> Box:
        box = self._loose
        if not c.FPDFText_GetLooseCharBox(self._raw, at, box):
            return 0.0, 0.0, 0.0, 0.0
        return box.left, box.bottom, box.right, box.top

    def _size(self, at: int) -> float:
        """The size of the letters on the page: the font's own size, scaled as the text is."""
        matrix = c.FS_MATRIX()
        size = float(c.FPDFText_GetFontSize(self._raw, at))
        if c.FPDFText_GetMatrix(self._raw, at, matrix):
            return size * float((matrix.c**2 + matrix.d**2) ** 0.5)
        return size

    def _font(self, at: int) -> tuple[bool, bool]:
        """Tell if a letter is as wide as all others, and whether it is bold."""
        size = c.FPDFText_GetFontInfo(self._raw, at, self._name, 100, self._flags)
        name = self._name.raw[: max(0, min(size, 100) - 1)].decode("utf-8", "replace")
        fixed = bool(self._flags.value & 1) or FIXED.search(name) is not None
        return fixed, BOLD.search(name) is not None


def _links(document: pdfium.PdfDocument, page: pdfium.PdfPage) -> Iterator[tuple[Any, ...]]:
    """The rectangles that lead out of the file."""
    position, link, rectangle = ctypes.c_int(0), c.FPDF_LINK(), c.FS_RECTF()
    for _ in range(MOST_LINKS):
        if not c.FPDFLink_Enumerate(page, position, link):
            return
        action = c.FPDFLink_GetAction(link)
        if not action or not c.FPDFLink_GetAnnotRect(link, rectangle):
            continue
        kind = c.FPDFAction_GetType(action)
        if kind == c.PDFACTION_URI:
            size = c.FPDFAction_GetURIPath(document, action, None, 0)
            buffer = ctypes.create_string_buffer(size)
            c.FPDFAction_GetURIPath(document, action, buffer, size)
        elif kind == c.PDFACTION_REMOTEGOTO:
            size = c.FPDFAction_GetFilePath(action, None, 0)
            buffer = ctypes.create_string_buffer(size)
            c.FPDFAction_GetFilePath(action, buffer, size)
        else:
            continue
        if target := buffer.value.decode("utf-8", "replace").strip()[:2000]:
            ends = (rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
            yield (*(round(end, 1) for end in ends), target)


if __name__ == "__main__":
    main()
