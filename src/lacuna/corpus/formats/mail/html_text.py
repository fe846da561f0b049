"""The words of an HTML mail, a line for each block."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

UNSEEN = ("head", "script", "style", "title")
BLOCKS = frozenset(
    "address article blockquote br div dd dl dt footer h1 h2 h3 h4 h5 h6 header hr li ol p pre "
    "section table td th tr ul".split()
)


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
        elif node.tag in BLOCKS:
            pieces.append("\n")
    lines = [" ".join(line.split()) for line in "".join(pieces).split("\n")]
    return "\n\n".join(line for line in lines if line)
