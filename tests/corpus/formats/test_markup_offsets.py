"""What must hold of every page of the light markup formats, whatever the bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_checks import check_any, mutations

from lacuna.corpus.formats.asciidoc import parse_asciidoc
from lacuna.corpus.formats.base import ParseFile
from lacuna.corpus.formats.org import parse_org
from lacuna.corpus.formats.rst import parse_rst

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
        [
            *"*_`|[]<>{}()#+=-~^:.,;!/\\\"'$@& \n\t\r\f",
            *("\n\n", "::", "a", "bé", "\n===\n", "|===\n", "----\n", "\n.. ", ".. note::", "\n* "),
            *("\n- ", "\n  ", "#+begin_", ":END:", "\n+\n", ":ref:`", "<<", "xref:", "[[", "link:"),
            *("[fn:", "{{{", "::\n\n", "|a|"),
        ]
    ),
    max_size=60,
).map("".join)


@pytest.mark.parametrize("parse", PARSERS)
@settings(deadline=None, max_examples=150)
@given(text=PIECES | st.text(max_size=200))
def test_any_text_gives_offsets_that_hold(parse: ParseFile, text: str) -> None:
    check_any(parse, "a/b.x", text.encode("utf-8", "replace"))


@pytest.mark.parametrize("parse", PARSERS)
@settings(deadline=None, max_examples=50)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_read_or_skipped(parse: ParseFile, data: bytes) -> None:
    check_any(parse, "a/b.x", data)


@pytest.mark.parametrize(("parse", "text"), list(zip(PARSERS, (RST, ADOC, ORG), strict=True)))
def test_spoiled_files_are_read_or_skipped(parse: ParseFile, text: str) -> None:
    for spoiled in mutations(text.encode(), 150, seed=5):
        # Bytes that are no UTF-8 would only be refused.
        check_any(parse, "a/b.x", spoiled.decode("utf-8", "ignore").replace("\0", "*").encode())
