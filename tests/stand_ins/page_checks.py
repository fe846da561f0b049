"""What must hold of every page, whatever file it was read from."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.page import Page
from lacuna.corpus.store import Skipped

Parse = Callable[[Entry], Iterator[Page | Skipped]]


def check_page(page: Page) -> None:
    """Spans are in order and inside the text, and so are links, marks and anchors."""
    document = page.document
    text = document.text
    assert document.title.strip()
    assert text.encode("utf-8")
    for spans in (document.paragraphs, document.sentences):
        assert all(text[start:end].strip() for start, end in spans)
        assert all(one.end <= two.start for one, two in pairwise(spans))
    assert all(0 <= link.start < link.end <= len(text) and link.target for link in page.links)
    assert all(one.end <= two.start for one, two in pairwise(page.links))
    assert document.origin is not None
    assert document.origin.file == page.file
    for places in (document.origin.marks, document.origin.anchors):
        assert all(0 <= offset <= len(text) for offset, _ in places)
        assert all(one[0] <= two[0] for one, two in pairwise(places))
    whole, *inner = document.sections
    assert (whole.start, whole.end) == (0, len(text))
    assert all(section.path[0] == document.title for section in inner)


def pages_of(parse: Parse, name: str, data: bytes) -> list[Page]:
    """The pages of a file that is read whole, each of them checked."""
    pages = []
    for found in parse(Entry(name, data)):
        assert isinstance(found, Page), found
        check_page(found)
        pages.append(found)
    return pages


def page_of(parse: Parse, name: str, data: bytes) -> Page:
    """The only page of a file."""
    (page,) = pages_of(parse, name, data)
    return page


def reason_of(parse: Parse, name: str, data: bytes) -> str:
    """Why a file gives nothing."""
    (found,) = parse(Entry(name, data))
    assert isinstance(found, Skipped)
    return found.reason


def check_any(parse: Parse, name: str, data: bytes) -> None:
    """Whatever the bytes are: pages that hold together, or a reason."""
    found = list(parse(Entry(name, data)))
    assert found
    for item in found:
        if isinstance(item, Page):
            check_page(item)
        else:
            assert item.reason


def mutations(data: bytes, number: int, seed: int) -> Iterator[bytes]:
    """The data with some bytes changed, cut out or repeated; the same ones for the same seed."""
    chance = random.Random(seed)
    for _ in range(number):
        changed = bytearray(data)
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(changed) or 1)
            length = chance.choice((1, 1, 2, 8, 64, 512))
            match chance.randrange(4):
                case 0:
                    changed[at : at + length] = chance.randbytes(length)
                case 1:
                    del changed[at : at + length]
                case 2:
                    changed[at:at] = changed[at : at + length]
                case _:
                    changed[at : at + 1] = chance.choice((b"\0", b"\xff", b"<", b'"', b"(", b">"))
        yield bytes(changed)
