"""What a page says about itself, as text that can be asked."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.corpus.pages.page_builder import PageBuilder


def add_facts(builder: PageBuilder, facts: Sequence[tuple[str, str]]) -> None:
    """A last section with a line for each fact: ``author: Jane Doe``."""
    if not facts:
        return
    builder.end_list()
    builder.open_heading(1)
    builder.add("Properties")
    builder.end_block()
    for name, value in facts:
        builder.add(f"{name}: {value}")
        builder.end_item()
    builder.end_list()
