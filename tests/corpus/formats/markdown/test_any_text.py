"""Whatever the bytes: a page whose offsets hold, or a reason; and time in proportion to length."""

from __future__ import annotations

import os
import random
import tarfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.markdown import parse_markdown
from lacuna.corpus.page import Page

MARKUP = """# |x|\n|\n\n|---\n|+++\n|title: a\n|[|]|(|)|[[|]]|![[|`|```\n|*|_|~~|$|$$\n
|^[|[^1]|[^1]: |<|>|<a href='x'>|</a>|<table>|<tr>|<td>|</table>
|<Tab t={1}>|<!--|-->|{{<|>}}|{%|%}|{#a}|{: .b}|%%|> |
|> [!note] |!!! note\n|    |:::tip\n|:::\n|- |- [x] |1. |: |a|b |\\|é|\u0130|\u00ad
|:x:|==|**|{term}`|</details>|<div markdown="1">|<Tabs>\n|</Tabs>\n|///\n|{{'a'.format(b)}}
|<sup>|</sup>|Title: a\n|####a\n|](a b)
|&amp;|&#9999999;|<pre>|</pre>|<br>|{% raw %}|import a from 'b'\n|export const a = {\n"""
PIECES = st.sampled_from(MARKUP.split("|"))
NOTE = st.lists(PIECES | st.just("|") | st.just("|-|-|\n"), max_size=40).map("".join)


def check(data: bytes, name: str = "note.md") -> None:
    for page in parse_markdown(Entry(name, data)):
        if isinstance(page, Page):
            check_page(page)


def check_page(page: Page) -> None:
    text, origin = page.document.text, page.document.origin
    assert origin is not None
    for spans in (page.document.paragraphs, page.document.sentences):
        assert all(text[start:end].strip() for start, end in spans)
        assert all(one.end <= two.start for one, two in pairwise(spans))
    assert all(0 <= link.start < link.end <= len(text) for link in page.links)
    assert all(one.end <= two.start for one, two in pairwise(page.links))
    for marks in (origin.marks, origin.anchors):
        offsets = [offset for offset, _ in marks]
        assert offsets == sorted(offsets)
        assert all(0 <= offset < len(text) for offset in offsets)
    assert all(number > 0 for _, number in origin.marks)


@settings(deadline=None)
@given(NOTE | st.text(max_size=200), st.sampled_from(["a.md", "a.mdx"]))
def test_any_text_gives_offsets_that_hold(note: str, name: str) -> None:
    check(note.encode("utf-8", "ignore"), name)


@settings(deadline=None)
@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_skipped(data: bytes) -> None:
    check(data)


@settings(deadline=None)
@given(
    st.sampled_from(["---", "+++"]),
    st.lists(
        st.sampled_from(
            [
                "a: b\n",
                "a = 1\n",
                "- ",
                "[",
                "]",
                "{",
                "}",
                "&a ",
                "*a ",
                "!!int ",
                "!!binary ",
                "? ",
                ": ",
                "<<: ",
                "'",
                '"',
                "|\n",
                ">\n",
                "  ",
                "\t",
                "%YAML 1.1\n",
                "0x",
                "9" * 5000,
                "2024-99-99",
                "é",
            ]
        ),
        max_size=20,
    ).map("".join),
)
def test_any_front_matter_is_read_or_kept(fence: str, front: str) -> None:
    check(f"{fence}\n{front}\n{fence}\nText.".encode())


@pytest.mark.parametrize(
    "opening",
    [
        "[",
        "[[",
        "![",
        "[a](",
        "<",
        "<a ",
        "<A {",
        "<!--",
        "{{<",
        "{%",
        "{:",
        "$",
        "$$\n\n",
        "%%a\n\n",
        "^[",
        "[^",
        "[^a]: ",
        "`",
        "*a **a ",
        "> ",
        "- ",
        "!!! note\n",
        "|a|b\n|-|-\n",
        "a\n: ",
        "===\n",
        "<table>",
        "<td>",
        "</b>",
        "<option>",
        "# x" + " " * 1000,
        "&#99999",
        "export const a = {\n",
        "{a}`",
        "{a}``x",
        "](a ",
        "[](a)",
        "<a markdown ",
        "<div markdown>\n",
        "** a",
        "**a **",
        "`a|",
        "|a|\n",
        "{{'{}'.format(a,",
        "==a",
        ":material-",
        "<Tabs>\n",
        "</Tabs>\n<Tabs>\n    ",
        "1^",
        "<sup>",
        "/// a\n",
        "Title: x\n  ",
        "{/*\n",
    ],
)
def test_openings_without_an_end_are_no_burden(opening: str) -> None:
    # A pattern that is not linear takes minutes here.
    check((opening * (40_000 // len(opening))).encode())


def test_mutated_real_pages_are_read() -> None:
    folder = os.environ.get("LACUNA_REAL")
    if not folder:
        pytest.skip("LACUNA_REAL is not set")
    chance = random.Random(7)
    with tarfile.open(Path(folder, "civicactions-guidebook.tar.xz")) as archive:
        members = [member for member in archive if member.name.endswith(".md")][:60]
        pages = [file.read() for member in members if (file := archive.extractfile(member))]
    for page in pages:
        check(mutated(page[:8000], chance))


def mutated(page: bytes, chance: random.Random) -> bytes:
    """Some pieces cut out, doubled, moved, and spoilt."""
    data = bytearray(page)
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data) + 1)
        size = chance.choice((1, 2, 20, 200))
        match chance.randrange(4):
            case 0:
                del data[at : at + size]
            case 1:
                data[at:at] = data[at : at + size] * chance.randint(1, 5)
            case 2:
                data[at:at] = chance.choice(
                    [
                        b"---\n",
                        b"[",
                        b"](",
                        b"```\n",
                        b"<a ",
                        b"|",
                        b"{{",
                        b"\n    ",
                        b"[[",
                        b"> ",
                        b"<!--",
                    ]
                )
            case _:
                start = chance.randrange(len(data) + 1)
                data[at:at] = data[start : start + size]
    return bytes(data)
