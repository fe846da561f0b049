"""The words of running text, without what only a page can hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from markdown_it.token import Token

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif", ".heic", ".tiff")
SIZE = re.compile(r"\s*\|?\s*\d{1,5}(?:x\d{1,5})?\s*$")


def inline_words(tokens: Sequence[Token]) -> str:
    """What a reader sees of these tokens, in one line."""
    return " ".join("".join(_words(token) for token in tokens).split())


def is_picture(token: Token) -> bool:
    """Whether an embed shows a picture and not a note."""
    name = token.content.partition("#")[0].strip().lower()
    return token.type == "wiki_embed" and name.endswith(PICTURES)


def _words(token: Token) -> str:
    match token.type:
        case "text" | "code_inline":
            return token.content
        case "softbreak" | "hardbreak":
            return " "
        case "image":
            return _picture_words(inline_words(token.children or []), token)
        case "wiki_link" | "wiki_embed":
            return _name_words(token)
        case _:
            return ""


def _picture_words(alt: str, token: Token) -> str:
    title = str(token.attrs.get("title", "")).strip()
    alt = re.sub(r"\|\s*\d{1,5}(?:x\d{1,5})?$", "", alt)
    if title and title != alt:
        return f"{alt} ({title})" if alt else title
    return alt


def _name_words(token: Token) -> str:
    name, _, fragment = token.content.partition("#")
    name = name.strip()
    if is_picture(token):
        caption = "" if SIZE.fullmatch(token.info) else token.info
        return caption or PurePosixPath(name).stem
    return token.info or name or fragment.strip().lstrip("^")
