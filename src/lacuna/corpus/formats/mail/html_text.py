"""The words of an HTML mail, a line for each block."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

UNSEEN = ("head", "script", "style", "title")
INLINE = re.compile(
    r"a|abbr|acronym|b|big|cite|code|del|em|font|i|img|ins|kbd|label|mark|o:p|q|s|small|span|"
    r"strike|strong|sub|sup|tt|u|wbr"
)
"""Elements inside a line; all others begin a new one."""


def html_text(html: str) -> str:
    """The text between the tags."""
    tree = LexborHTMLParser(html)
    tree.strip_tags(list(UNSEEN))
    if tree.body is None:
        return ""
    pieces: list[str] = []
    for node in tree.body.traverse(include_text=True):
        if node.tag == "-text":
            pieces.append((node.text_content or "").replace("\n", " "))
        elif not INLINE.fullmatch(node.tag or ""):
            pieces.append("\n")
    lines = [" ".join(line.split()) for line in "".join(pieces).split("\n")]
    return "\n\n".join(line for line in lines if line)
