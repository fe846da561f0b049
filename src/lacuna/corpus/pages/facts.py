"""What a page says about itself, as text that can be asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lacuna.corpus.pages.page_builder import PageBuilder


class Fact(NamedTuple):
    """A name, a value, and the line of the file that says so, if there is one."""

    name: str
    value: str
    line: int = 0


def add_facts(builder: PageBuilder, facts: Iterable[Fact]) -> None:
    """A last section with a line for each fact: ``author: Jane Doe``."""
    begun = False
    for fact in facts:
        if fact.line:
            builder.mark(fact.line)
        if not begun:
            builder.end_list()
            builder.open_heading(1)
            builder.add("Properties")
            builder.end_block()
            begun = True
        builder.add(f"{fact.name}: {fact.value}")
        builder.end_item()
    builder.end_list()
