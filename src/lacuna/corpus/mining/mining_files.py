"""What mining reads and writes: titles, lists of entities, pairs, and unfinished dataset items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lacuna.answer_text import CANNOT_ANSWER
from lacuna.corpus.mining.pairs import Pair, PairKind
from lacuna.corpus.mining.sections import ChosenSection
from lacuna.corpus.mining.seeds import Seed
from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json_decode import decode_whole
from lacuna.files.json_stream import JsonItems, Shape
from lacuna.files.opening import open_text


def read_titles(path: Path) -> Iterator[str]:
    """A file with a title a line."""
    with open_text(path) as source:
        for line in source.text:
            if title := line.strip():
                yield title


def read_lists(path: Path) -> dict[str, list[str]]:
    """Lists of similar entities: a JSON object of lists, or lines of name, tab, title."""
    with open_text(path) as source:
        if source.head.startswith("{"):
            return _checked(path, decode_whole(source))
        lists: dict[str, list[str]] = {}
        for number, line in enumerate(source.text, 1):
            if not line.strip() or line.startswith("#"):
                continue
            name, tab, title = line.strip().partition("\t")
            if not tab:
                problem = BadField("line", "a list's name, a tab and a title", shown(line.strip()))
                raise ItemError(path, f"line {number}", problem, can_skip=False)
            lists.setdefault(name, []).append(title)
        return lists


def _checked(path: Path, value: Any) -> dict[str, list[str]]:
    for name, titles in value.items():
        if not isinstance(titles, list) or not all(isinstance(title, str) for title in titles):
            raise LacunaError(f"{path}: the list {name!r} must be a list of titles.")
    lists: dict[str, list[str]] = value
    return lists


def raw_pair(pair: Pair) -> dict[str, Any]:
    """A pair as a line of JSON has it."""
    return {
        "kind": str(pair.kind),
        "first": pair.first,
        "second": pair.second,
        "yes_no": pair.yes_no,
        "group": pair.group,
    }


def read_pairs(path: Path) -> Iterable[Pair]:
    """Pairs from JSON lines, as ``raw_pair`` gives them."""
    with open_text(path) as source:
        for item in JsonItems(source, Shape.LINES):
            try:
                yield _pair(item.value if item.problem is None else None)
            except (KeyError, TypeError, ValueError):
                problem = BadField(
                    "line", "a pair made by `lacuna corpus pairs`", shown(item.value)
                )
                raise ItemError(path, f"line {item.number}", problem, can_skip=False) from None


def _pair(value: Any) -> Pair:
    kind, first, second = PairKind(value["kind"]), value["first"], value["second"]
    if not isinstance(first, str) or not isinstance(second, str):
        raise TypeError
    return Pair(kind, first, second, bool(value["yes_no"]), str(value["group"]))


def raw_seed(seed: Seed) -> dict[str, Any]:
    """A passage of IIRC without questions."""
    context = seed.context
    return {
        "pid": f"{context.title}#{seed.span.start}",
        "title": context.title,
        "text": context.text,
        "links": [
            {"target": link.target, "indices": [link.start, link.end]} for link in context.links
        ],
        "questions": [],
        "span": list(seed.span),
    }


def raw_section(chosen: ChosenSection) -> dict[str, Any]:
    """A QuAC article whose one dialog has not begun."""
    title, name = chosen.context.title, chosen.section.path[-1]
    paragraph = {
        "id": f"{title}#{chosen.section.start}",
        "context": f"{chosen.context.text} {CANNOT_ANSWER}",
        "qas": [],
    }
    return {
        "title": title,
        "section_title": name,
        "background": chosen.background,
        "paragraphs": [paragraph],
        "span": [chosen.section.start, chosen.section.end],
    }
