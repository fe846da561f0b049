"""Pages that are made on the server: a tree of elements, written as HTML by the standard library.

Text gets into a page as text and nothing else: no part of it is ever HTML that came as a string.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, tostring

Child = Element | str | int | None
STATIC = Path(__file__).parent / "static"
"""What all servers have in common: scripts, styles and the icon."""
LOOK = ("css/base.css", "css/bar.css", "css/sheet.css", "icon.svg")
"""What a page without a script needs of it."""
ICON = "M11 5H5v22h6M21 5h6v22h-6M11 16h.01M16 16h.01M21 16h.01"


def el(tag: str, *children: Child | Iterable[Child], **attributes: Any) -> Element:
    """An element with texts and elements in it.

    A name that Python keeps for itself ends in ``_``, a dash is written ``_``; attributes that are
    None or False are left out.

    >>> page_text(el("p", "5 < 6 ", el("b", "<i>"), class_="note", hidden=None))
    '<p class="note">5 &lt; 6 <b>&lt;i&gt;</b></p>'
    """
    element = Element(tag)
    for name, value in attributes.items():
        if value is not None and value is not False:
            shown = "" if value is True else str(value)
            element.set(name.removesuffix("_").replace("_", "-"), shown)
    for child in children:
        if isinstance(child, Element | str | int):
            _append(element, child)
        elif child is not None:
            for each in child:
                _append(element, each)
    return element


def page_text(root: Element) -> str:
    """The tree as HTML."""
    return tostring(root, encoding="unicode", method="html")


def table(
    columns: Sequence[Child],
    rows: Iterable[Sequence[Child]],
    *,
    caption: str,
    marked: Sequence[str] = (),
) -> Element:
    """A table that is pushed sideways where a window is too narrow for it.

    The first cell of a row names it. ``marked`` are the classes of the rows, where they have any.
    """
    body = [
        el(
            "tr",
            el("th", row[0], scope="row"),
            (el("td", each) for each in row[1:]),
            class_=marked[number] or None if marked else None,
        )
        for number, row in enumerate(rows)
    ]
    head = el("thead", el("tr", (el("th", each, scope="col") for each in columns)))
    made = el("table", el("caption", caption, class_="unseen"), head, el("tbody", body))
    # What can be pushed sideways has to be reached by the keyboard, too.
    return el("div", made, class_="wide", tabindex="0", role="region", aria_label=caption)


def whole_page(
    title: str,
    *main: Child | Iterable[Child],
    static: str,
    home: str,
    navigation: Iterable[Child] = (),
    foot: Sequence[Child] = (),
) -> str:
    """A whole page in the look of all others, whose files lie at ``static``; it needs no script."""
    *css, icon = LOOK
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", title),
        el("link", rel="icon", href=static + icon, type="image/svg+xml"),
        (el("link", rel="stylesheet", href=static + each) for each in css),
    )
    drawing = el("svg", el("path", d=ICON), viewBox="0 0 32 32", aria_hidden="true")
    body = el(
        "body",
        el("a", "Skip to the page", class_="skip", href="#main"),
        el(
            "header",
            el("p", el("a", drawing, "Lacuna", href=home), class_="brand"),
            el("nav", navigation, aria_label="Pages"),
            class_="bar",
        ),
        el("main", *main, id="main", tabindex="-1"),
        el("footer", foot, class_="foot") if foot else None,
    )
    return "<!doctype html>\n" + page_text(el("html", head, body, lang="en")) + "\n"


def write_look(folder: Path) -> None:
    """Write what whole pages need beside them, for ``static=""``."""
    for name in LOOK:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(STATIC / name, folder / name)


def _append(element: Element, child: Child) -> None:
    if child is None:
        return
    if isinstance(child, Element):
        element.append(child)
    elif len(element):
        element[-1].tail = (element[-1].tail or "") + str(child)
    else:
        element.text = (element.text or "") + str(child)
