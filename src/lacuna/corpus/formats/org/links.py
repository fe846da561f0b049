"""Where Org's links lead."""

from __future__ import annotations

import re

from lacuna.corpus.pages.page import LinkKind
from lacuna.corpus.pages.table import Run

SCHEME = re.compile(r"([A-Za-z][\w+.-]*):")
PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?)$", re.IGNORECASE)
NOT_IN_A_SLUG = re.compile(r"[^\w\s-]")


def heading_slug(title: str) -> str:
    """The fragment of a heading, as web sites that show Org files make it.

    >>> heading_slug("What's new?")
    'whats-new'
    """
    return re.sub(r"\s+", "-", NOT_IN_A_SLUG.sub("", title.strip().lower()))


def org_link(target: str, words: str) -> Run:
    """A link as a run of text: what it shows, and where it leads.

    >>> org_link("file:setup.org::*Tools", "the tools")[:3]
    ('the tools', 'setup.org#tools', <LinkKind.PATH: 'path'>)
    """
    target = target.replace("\\[", "[").replace("\\]", "]")
    scheme = SCHEME.match(target)
    kind = scheme[1].lower() if scheme else ""
    if kind in ("file", "attachment", "docview") or target.startswith(("./", "../", "/", "~")):
        return _file(target.partition(":")[2] if kind else target, words)
    if kind == "id":
        return Run(words or target[3:], target.partition("::")[0], LinkKind.LABEL)
    if kind == "roam":
        return Run(words or target[5:], target[5:], LinkKind.NAME)
    if kind in ("http", "https", "ftp", "mailto", "doi"):
        return Run(words or target.removeprefix("mailto:"), target)
    if kind:  # a page of another program
        return Run(words or target.partition(":")[2])
    if target.startswith("#"):
        return Run(words or target[1:], target)
    if target.startswith("*"):
        heading = target.lstrip("*").strip()
        return Run(words or heading, f"#{heading_slug(heading)}")
    if target.startswith("(") and target.endswith(")"):  # a line of code
        return Run(words or target[1:-1])
    return Run(words or target, target, LinkKind.NAME)


def _file(written: str, words: str) -> Run:
    path, _, inside = written.partition("::")
    path = re.sub(r"^(?:sys|emacs):", "", path)
    if PICTURE.search(path):
        return Run("" if PICTURE.search(words) else words, picture=path)
    shown = words or path.rpartition("/")[2]
    if inside.startswith("*"):
        path += f"#{heading_slug(inside.lstrip('*'))}"
    elif inside.startswith("#"):
        path += inside
    return Run(shown, path) if path else Run(shown)
