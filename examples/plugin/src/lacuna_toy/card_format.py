"""A document format: a file of cards, each a line ``# Title`` and the text below it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lacuna.corpus.formats.base import DocumentFormat
from lacuna.corpus.formats.plain import verbatim_document
from lacuna.corpus.store import Skipped, SourceItem


def read_cards(path: Path) -> Iterator[SourceItem]:
    """Every card of a file as a document."""
    for number, card in enumerate(path.read_text(encoding="utf-8").split("\n# "), 1):
        title, _, text = card.removeprefix("# ").partition("\n")
        if title.strip() and text.strip():
            yield verbatim_document(title.strip(), text.strip())
        else:
            yield Skipped(f"{path.name}, card {number}", "it has no title or no text")


CARDS = DocumentFormat("cards", read_cards, suffixes=(".cards",))
