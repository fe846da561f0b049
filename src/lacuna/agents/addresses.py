"""Addresses of documents, as resources of the protocol.

A store has every title once: documents that call themselves the same are told apart when they are
read, by what differs in their paths. So a title is an address, and one that a model can read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, unquote

from lacuna.errors import LacunaError, shown

TEMPLATE = "lacuna://documents/{title}{?start,max_chars}"
ADDRESS = re.compile(r"lacuna://documents/([^/?#]+)(?:\?([^#]*))?")
ONLY_DOTS = re.compile(r"\.+")


@dataclass(frozen=True, slots=True)
class DocumentAddress:
    """A document, and the part of it that is meant."""

    title: str
    start: int = 0
    max_chars: int | None = None


def address_of(title: str, start: int = 0) -> str:
    """The address of a document, or of the rest of it from an offset on.

    >>> address_of("Cranes / lifting (notes)")
    'lacuna://documents/Cranes%20%2F%20lifting%20%28notes%29'
    """
    name = quote(title, safe="")
    if ONLY_DOTS.fullmatch(name):  # a client may take ".." for the folder above
        name = name.replace(".", "%2E")
    return f"lacuna://documents/{name}" + (f"?start={start}" if start else "")


def parse_address(address: str) -> DocumentAddress:
    """What an address means; refused if it is none of ours.

    >>> parse_address("lacuna://documents/Ada%20Quill?start=40")
    DocumentAddress(title='Ada Quill', start=40, max_chars=None)
    """
    parts = ADDRESS.fullmatch(address)
    if parts is None:
        raise LacunaError(f"{shown(address)} is no address of a document: those are {TEMPLATE}.")
    try:
        values = parse_qs(parts[2] or "", max_num_fields=8, strict_parsing=bool(parts[2]))
        numbers = {name: int(given[-1]) for name, given in values.items()}
        title = unquote(parts[1], errors="strict")
        return DocumentAddress(title, **numbers)
    except (TypeError, ValueError):
        raise LacunaError(
            f"{shown(address)} cannot be read: an address is {TEMPLATE}, with numbers."
        ) from None


def title_in(name: str) -> str | None:
    """The title in an address; None for what is no address."""
    return parse_address(name).title if ADDRESS.fullmatch(name) else None
