"""What is known about a page beside its text, as text that can be asked."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna.corpus.formats.markdown.front_matter import Field
from lacuna.corpus.pages.page_builder import PageBuilder

HEADING = "Properties"


def add_properties(builder: PageBuilder, fields: Iterable[Field]) -> None:
    """A last section with a line for each field: ``author: Jane Doe``."""
    fields = list(fields)
    if not fields:
        return
    builder.end_list()
    builder.mark(fields[0].line)
    builder.open_heading(1)
    builder.add(HEADING)
    builder.end_block()
    for field in fields:
        builder.mark(field.line)
        builder.add(f"{field.key}: {field.text}")
        builder.end_item()
    builder.end_list()
