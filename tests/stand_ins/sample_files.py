"""A small file of every document format, and real ones where they are at hand."""

from __future__ import annotations

import io
import json
import os
import tarfile
import zipfile
from pathlib import Path

from made_docx import made_docx, paragraph, table
from made_office import made_open_document, made_pptx, made_xlsx, shape
from made_pdf import MadePage, made_pdf

NOTE = """---
title: The Marrow
aliases: [Old Marrow, "ferry"]
built: 1931-05-03
---
# The Marrow

The *Marrow* is a [ferry](ferry.md) of [[Port Ellery|the port]].[^1] She was **built** in 1931.

| Plan | Price |
|------|-------|
| Gold | $20   |

- one
  - two

```python
print("hello")
```

> [!note] A note
> She is old.

[^1]: Dr. Voss says so.
"""
HTML = """<!doctype html><html><head><meta charset="utf-8"><title>The Marrow – Ships</title></head>
<body><nav><a href="/">Home</a></nav><main><h1>The Marrow</h1><p>She is a <a href="ferry.html">ferry
</a> &amp; was <b>built</b> in 1931. Dr. Voss says so.</p><table><tr><th>Plan<th>Price<tr><td
rowspan=2>Gold<td>$20</table><ul><li>one<li>two</ul><pre>code</pre></main></body></html>"""
RST = """==========
The Marrow
==========

:Author: Ada

She is a :ref:`ferry <boats>` and **old**. See `the port <port.html>`_ and |ship|.

.. |ship| replace:: the ship
.. _boats:

.. note:: She was built in 1931.

+------+-------+
| Plan | Price |
+======+=======+
| Gold | $20   |
+------+-------+

* one

  * two

.. code:: python

   print("hello")
"""
ORG = """#+TITLE: The Marrow
* Boats :ships:
:PROPERTIES:
:CUSTOM_ID: boats
:END:
She is a [[file:ferry.org][ferry]] and *old*.[fn:1] Built <1931-05-03 Sun>.
| Plan | Price |
|------+-------|
| Gold | $20   |
#+begin_src python
print("hello")
#+end_src
- one
  - two
[fn:1] Dr. Voss says so.
"""
ASCIIDOC = """= The Marrow
:port: Port Ellery

== Boats [[boats]]
She is a xref:ferry.adoc[ferry] of {port} and *old*. NOTE: see <<boats>>.

[source,python]
----
print("hello")
----

|===
|Plan |Price

|Gold |$20
|===

* one
** two
"""
MAIL = """From ada@port.example Sun May  3 10:00:00 1931
From: Ada <ada@port.example>
To: Voss <voss@port.example>
Subject: =?utf-8?q?The_Marrow?=
Message-ID: <1@port.example>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b"

--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

She is a ferry =E2=80=93 and old. Dr. Voss says so.
--b
Content-Type: text/html

<p>She is a <b>ferry</b>.</p>
--b--
"""
CELLS = [
    {"cell_type": "markdown", "source": ["# The Marrow\n", "\n", "She is a ferry."]},
    {"cell_type": "code", "source": "1 + 1", "outputs": [{"data": {"text/plain": ["2"]}}]},
]


def sample_files() -> dict[str, bytes]:
    """Files by their names, one of every format."""
    page = MadePage()
    page.write(50, 700, "The Marrow", 20, "bold")
    page.write_lines(50, 650, ["She is a ferry of the port and she", "is old. Dr. Voss says so."])
    body = paragraph("The Marrow", "Titel") + paragraph("She is a ferry.")
    return {
        "note.md": NOTE.encode(),
        "note.mdx": NOTE.encode(),
        "page.html": HTML.encode(),
        "page.rst": RST.encode(),
        "part.rst.inc": RST.encode(),
        "page.org": ORG.encode(),
        "page.adoc": ASCIIDOC.encode(),
        "plain.txt": b"The Marrow is a ferry. Dr. Voss says so.\n\nShe was built in 1931.\n",
        "ships.csv": b'Ship,Built,Note\nMarrow,1931,"a, ""b"""\nTern,1950,old\nGull,1960,new\n',
        "ships.tsv": b"Ship\tBuilt\nMarrow\t1931\nTern\t1950\n",
        "book.ipynb": json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4}).encode(),
        "mail.eml": MAIL.partition("\n")[2].encode(),
        "mail.mbox": (MAIL + "\n" + MAIL).encode(),
        "page.pdf": made_pdf([page, page], {"Title": "The Marrow"}, [("Boats", 0)]),
        "page.docx": made_docx(body + table([["Plan", "Price"], ["Gold", "$20"]])),
        "talk.pptx": made_pptx([shape("title", "The Marrow") + shape("body", "old", "wooden")]),
        "ships.xlsx": made_xlsx(
            {"Ships": f"<row>{_cells('Ship', 'Built')}</row><row>{_cells('Tern', '1950')}</row>"}
        ),
        "page.odt": made_open_document("text", "<text:h>Boats</text:h><text:p>Old.</text:p>"),
        "book.epub": _zipped(
            {
                "mimetype": "application/epub+zip",
                "META-INF/container.xml": '<container><rootfiles><rootfile full-path="a.opf"/>'
                "</rootfiles></container>",
                "a.opf": '<package><metadata><title>Boats</title></metadata><manifest><item id="c" '
                'href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref '
                'idref="c"/></spine></package>',
                "c.xhtml": HTML,
            }
        ),
    }


def _cells(*values: str) -> str:
    return "".join(f'<c t="str"><v>{value}</v></c>' for value in values)


def sample_archives() -> dict[str, bytes]:
    """A zip and a tar archive of pages."""
    pages = {"a/note.md": NOTE, "page.html": HTML}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in pages.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return {"pages.zip": _zipped(pages), "pages.tar.gz": packed.getvalue()}


def real_files(most: int = 200) -> dict[str, bytes]:
    """Pages of real collections, where they are at hand."""
    found: dict[str, bytes] = {}
    folder = os.environ.get("LACUNA_REAL")
    for path in sorted(Path(folder).glob("*.tar.xz")) if folder else []:
        with tarfile.open(path) as archive:
            files = [member for member in archive if member.isfile() and member.size < 30_000]
            for member in files[:: max(1, len(files) // most)]:
                content = archive.extractfile(member)
                assert content is not None
                found[f"{len(found)}-{Path(member.name).name}"] = content.read()
    return found


def _zipped(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()
