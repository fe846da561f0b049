"""No pattern for documents can match the same text in many ways: some texts would take for ever."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module

from ambiguous_patterns import ambiguous

import lacuna.corpus
import lacuna.quantities


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """All patterns that the modules which see documents keep, by where they stand."""
    for package in (lacuna.corpus, lacuna.quantities):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(import_module(module.name)).items():
                for found in _inside(value):
                    yield f"{module.name}.{name}", found


def _inside(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, dict):
        yield from _inside(tuple(value.values()))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _inside(inner)


def test_no_pattern_is_ambiguous() -> None:
    found = list(patterns())
    assert len(found) > 200
    faults = {f"{where}: {pattern.pattern}": ambiguous(pattern) for where, pattern in found}
    assert {where: fault for where, fault in faults.items() if fault} == {}


def test_what_was_found() -> None:
    """A link of Org, over lines: each end of a line could be taken in two ways."""
    assert ambiguous(re.compile(r"\[\[(?:[^\[\]\\]|\\.|\n){1,2000}\]")) != []
