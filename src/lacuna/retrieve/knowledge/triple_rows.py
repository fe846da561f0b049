"""Read triples from ConceptNet's files, one row at a time.

Two layouts are told apart by how a line begins: tab-separated relation, head, tail, weight and
sources; and ConceptNet's own assertions (``/a/[…]``, ``/r/MadeOf``, ``/c/en/belt_buckle``,
``/c/en/metal``, JSON), of which the English ones are kept.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lacuna.corpus.source_item import Skipped
from lacuna.files.opening import open_text
from lacuna.retrieve.knowledge.build_report import Broken

ASSERTION = "/a/"
"""How a line of ConceptNet's own file begins."""
ENGLISH = re.compile(r"/c/en/([^/]+)")


@dataclass(frozen=True, slots=True)
class Triple:
    """Head, relation and tail, how sure the sources are of it, and which sources they are."""

    relation: str
    head: str
    tail: str
    weight: float = 1.0
    sources: tuple[str, ...] = ()


class _BadRow(Exception):  # noqa: N818 - never leaves this file
    """Why a row gives no triple."""


class _Foreign(_BadRow):
    """There is a triple, but in another language."""


def triple_rows(path: Path) -> Iterator[Triple | Skipped]:
    """The triples of a file, and what it had instead of one where a row is broken."""
    with open_text(path) as source:
        for number, line in enumerate(source.text, 1):
            try:
                yield _triple(line)
            except _BadRow as problem:
                kind = Skipped if isinstance(problem, _Foreign) else Broken
                yield kind(f"{path}, line {number}", str(problem))


def is_triple(line: str) -> bool:
    """Whether a line is one of either layout; it need not be English."""
    try:
        _triple(line)
    except _BadRow as problem:
        return isinstance(problem, _Foreign)
    return True


def _triple(line: str) -> Triple:
    parse = _assertion if line.startswith(ASSERTION) else _plain
    triple = parse(line.rstrip("\r\n"))
    if not (triple.relation and triple.head and triple.tail):
        raise _BadRow("an empty relation, head or tail")
    return triple


def _plain(line: str) -> Triple:
    relation, head, tail, weight, sources = _columns(line)
    names = tuple(sorted({name for name in sources.strip().split(",") if name}))
    return Triple(relation.strip(), _phrase(head), _phrase(tail), _weight(weight), names)


def _assertion(line: str) -> Triple:
    _, relation, head, tail, details = _columns(line)
    ends = ENGLISH.match(head), ENGLISH.match(tail)
    if not (ends[0] and ends[1]):
        raise _Foreign("not English")
    try:
        fields = json.loads(details)
        weight, dataset = fields["weight"], str(fields.get("dataset") or "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _BadRow("details that are no JSON object with a weight") from None
    sources = (dataset.removeprefix("/d/"),) if dataset else ()
    name = relation.rpartition("/")[2]  # /r/MadeOf, /r/dbpedia/genre
    return Triple(name, _phrase(ends[0][1]), _phrase(ends[1][1]), _weight(weight), sources)


def _columns(line: str) -> list[str]:
    columns = line.split("\t")
    if len(columns) != 5:
        raise _BadRow("not five columns")
    return columns


def _phrase(text: str) -> str:
    return " ".join(text.replace("_", " ").split())


def _weight(value: str | float) -> float:
    try:
        weight = float(value)
    except (TypeError, ValueError, OverflowError):
        weight = math.nan
    if not (math.isfinite(weight) and weight >= 0):
        raise _BadRow("a weight that is no number from 0 up")
    return weight
