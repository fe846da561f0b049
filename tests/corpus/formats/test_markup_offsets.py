"""What must hold of every page of the light markup formats, whatever the bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.corpus.formats.asciidoc.parse import parse_asciidoc
from lacuna.corpus.formats.document_format import ParseFile
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.org import parse_org
from lacuna.corpus.formats.rst.parse import parse_rst
from lacuna.corpus.pages.page import Page

pytest.importorskip("docutils")

PARSERS = [parse_rst, parse_asciidoc, parse_org]
RST = """
.. _top:

Title
=====

:author: Ann

See :ref:`top`, `a <b>`_, c_, |d|, [1]_ and *e* **f** ``g``.

.. |d| replace:: x
.. _c: y
.. [1] z

+---+---+
| a | b |
+===+===+
| 1 | 2 |
+---+---+

.. list-table::
   :header-rows: 1

   * - A
     - B

.. function:: f(x)

   - one

     - two

.. toctree::

   intro
"""
ADOC = """
= Title
Ann Lee
:x: y

[[a]]
== Part {x}

See <<a>>, xref:b.adoc[c], https://d.org[e], *f* _g_ `h` footnote:[i].

* one
** two
+
----
code <1>
----
term:: definition

[cols="1,2",options=header]
|===
|A |B
2+|c .2+|d
|===

image::a.png[Alt]
include::b.adoc[]
"""
ORG = """
#+TITLE: Title
* TODO [#A] Head :tag:
DEADLINE: <2024-01-01 Mon>
:PROPERTIES:
:ID: x
:END:
See [[file:a.org::*B][c]], *d* /e/ =f= [fn:1] {{{m(a)}}}.
- [X] one
  - two :: three
| A | B |
|---+---|
| 1 | 2 |
#+begin_src c
code
#+end_src
[fn:1] Note.
"""
PIECES = st.lists(
    st.sampled_from(
        [*"*_`|[]<>{}()#+=-~^:.,;!/\\\"'$@& \n\t", "\n\n", "::", "a", "bé", "\n===\n", "|===\n"]
        + ["----\n", "\n.. ", ".. note::", "\n* ", "\n- ", "\n  ", "#+begin_", ":END:", "\n+\n"]
        + [":ref:`", "<<", "xref:", "[[", "link:", "[fn:", "{{{", "::\n\n", "|a|", "\r", "\x0c"]
    ),
    max_size=60,
).map("".join)


def check(parse: ParseFile, data: bytes) -> None:
    for page in parse(Entry("a/b.x", data)):
        if isinstance(page, Page):
            check_page(page)
        else:
            assert page.reason


def check_page(page: Page) -> None:
    """Spans lie in the text and are in order, and so do links, lines and anchors."""
    document = page.document
    size = len(document.text)
    assert document.text.strip()
    for spans in (document.paragraphs, document.sentences):
        assert all(0 <= start < end <= size for start, end in spans)
        assert all(one.end <= two.start for one, two in pairwise(spans))
    assert all(0 <= link.start < link.end <= size and link.target for link in page.links)
    assert all(one.end <= two.start for one, two in pairwise(page.links))
    assert all(0 <= section.start <= section.end <= size for section in document.sections)
    assert document.origin is not None
    for places in (document.origin.marks, document.origin.anchors):
        offsets = [offset for offset, _ in places]
        assert offsets == sorted(offsets)
        assert all(0 <= offset < size for offset in offsets)
    assert all(number > 0 for _, number in document.origin.marks)


@pytest.mark.parametrize("parse", PARSERS)
@settings(deadline=None, max_examples=150)
@given(text=PIECES | st.text(max_size=200))
def test_any_text_gives_offsets_that_hold(parse: ParseFile, text: str) -> None:
    check(parse, text.encode("utf-8", "replace"))


@pytest.mark.parametrize("parse", PARSERS)
@settings(deadline=None, max_examples=50)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_read_or_skipped(parse: ParseFile, data: bytes) -> None:
    check(parse, data)


@pytest.mark.parametrize(("parse", "text"), list(zip(PARSERS, (RST, ADOC, ORG), strict=True)))
def test_spoiled_files_are_read_or_skipped(parse: ParseFile, text: str) -> None:
    chance = random.Random(5)
    for _ in range(150):
        check(parse, _spoiled(text, chance).encode())


def _spoiled(text: str, chance: random.Random) -> str:
    """The text after a few cuts, doublings, moves and changes."""
    changes: list[Callable[[str, int, int], str]] = [
        lambda text, start, end: text[:start] + text[end:],
        lambda text, start, end: text[:end] + text[start:],
        lambda text, start, end: text[end:] + text[:end],
        lambda text, start, end: text[:start] + chance.choice("*`|[]:.= \n-+") + text[start + 1 :],
        lambda text, start, end: text[:start] + text[start:end].replace("\n", "\n  ") + text[end:],
    ]
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.randrange(1, 40))
        text = chance.choice(changes)(text, start, end)
    return text
