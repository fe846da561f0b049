"""Interpreted text, ``:role:`text```: what is shown of it, and where it leads."""

from __future__ import annotations

import re

from docutils import nodes

from lacuna.corpus.pages.page import LinkKind

TITLED = re.compile(r"(.+?)\s*<([^<>]+)>", re.DOTALL)
SLOT = re.compile(r"(?<!\\)\{([^{}]*)\}")
CALLED = frozenset(("func", "meth", "function", "method"))
OBJECTS = CALLED | frozenset(
    [
        "mod",
        "class",
        "exc",
        "data",
        "const",
        "attr",
        "obj",
        "type",
        "macro",
        "member",
        "var",
        "struct",
        "union",
        "enum",
        "enumerator",
        "any",
        "concept",
        "dir",
        "expr",
        "cfunc",
        "cdata",
        "cmacro",
        "ctype",
        "module",
        "exception",
        "property",
        "deco",
    ]
)
NUMBERED = {
    "pep": ("PEP", "https://peps.python.org/pep-{:0>4}/"),
    "rfc": ("RFC", "https://datatracker.ietf.org/doc/html/rfc{}"),
    "cve": ("CVE", "https://www.cve.org/CVERecord?id=CVE-{}"),
    "cwe": ("CWE", "https://cwe.mitre.org/data/definitions/{}.html"),
}
"""Series of documents that are named by a number, and their addresses."""


def role_node(role: str, raw: str, text: str) -> nodes.Node:
    """What stands in the text for ``:role:`text```; of an unknown role, its words.

    Every role is handled here, so that one document's ``.. role::`` never changes another.
    """
    name = role.lower().rpartition(":")[2]
    if name in ("math", "code", "literal"):
        return nodes.literal(raw, nodes.unescape(text, restore_backslashes=True))
    text = nodes.unescape(text)
    if name in ("file", "samp"):
        return nodes.literal(raw, SLOT.sub(r"\1", text))
    if name == "guilabel":
        return nodes.inline(raw, re.sub(r"&(.)", r"\1", text))
    if name == "menuselection":
        return nodes.inline(raw, text.replace("-->", "›").replace("&", ""))
    if name in NUMBERED:
        return _numbered(name, raw, text)
    shown, target = _titled(text)
    if name in ("ref", "numref"):
        return _link(raw, shown, " ".join((target or text).lower().split()), LinkKind.LABEL, target)
    if name == "doc":
        return _link(raw, shown if target else text.lstrip("/."), target or text, LinkKind.PATH)
    if name == "term":
        term = " ".join((target or text).lower().split())
        return _link(raw, shown, f"term:{term}", LinkKind.LABEL)
    if name in OBJECTS:
        shown = shown if target else _object_name(text, name in CALLED)
    return nodes.inline(raw, text if name == "abbr" else shown)


def _titled(text: str) -> tuple[str, str]:
    """``shown <target>`` in its two parts; the target is empty where only one thing is written."""
    found = TITLED.fullmatch(text.strip())
    return (found[1].removeprefix("!"), found[2].strip()) if found else (text.lstrip("!"), "")


def _object_name(text: str, called: bool) -> str:
    """As Sphinx shows it: ``~package.name`` by its last part, functions with parentheses.

    >>> _object_name("~os.path.join", True)
    'join()'
    """
    name = text.strip().removeprefix("!")
    if name.startswith("~"):
        name = name[1:].rpartition(".")[2]
    name = name.lstrip(".")
    return f"{name}()" if called and not name.endswith(")") else name


def _numbered(name: str, raw: str, text: str) -> nodes.Node:
    series, address = NUMBERED[name]
    shown, target = _titled(text)
    number, _, part = (target or text).partition("#")
    shown = shown if target else f"{series} {number}"
    url = address.format(number.strip()) + (f"#{part}" if part else "")
    return _link(raw, shown, url, LinkKind.PATH)


def _link(
    raw: str, shown: str, target: str, kind: LinkKind, titled: str = "told"
) -> nodes.reference:
    """A reference that says how it is written; ``implied`` where the target's title is shown."""
    return nodes.reference(raw, shown, written=target, kind=kind.value, implied=not titled)
