"""Titles for the pages of a source: what all of them share is cut off, and no two are alike."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from posixpath import splitext

from lacuna.corpus.titles import FOLDER_PAGES

SEPARATOR = re.compile(r"\s+[—–|·»:-]+\s+|:\s+")
LAST_WORDS = re.compile(r"(?<=\S) \S+ \S+$")
SHARED_BY = 0.6
"""Of the pages; a part of the title that so many begin or end with says nothing about one."""
FEWEST = 5
"""Pages that such a share is told from."""
MOST_CUTS = 4

Taken = Callable[[str], bool]


def unique_titles(
    called: Mapping[str, str], taken: Taken = lambda _: False, source: str = ""
) -> dict[str, str]:
    """A title for every page, from what it calls itself; both by the page's path.

    Pages of the same title are told apart by what differs in their paths, and one whose title is
    ``taken`` outside of the source by the name of the source.

    >>> unique_titles({"2023/notes.txt": "notes", "2024/notes.txt": "notes", "a.txt": "Plan"})
    {'2023/notes.txt': 'notes (2023)', '2024/notes.txt': 'notes (2024)', 'a.txt': 'Plan'}
    """
    trimmed = _without_shared(called)
    alike: dict[str, list[str]] = defaultdict(list)
    for path, title in trimmed.items():
        alike[title].append(path)
    alone = {title for title, paths in alike.items() if len(paths) == 1 and not taken(title)}
    used = set(alone)
    titles: dict[str, str] = {}
    for path, title in trimmed.items():
        if title in alone:
            titles[path] = title
            continue
        others = alike[title]
        label = _difference(path, others) if len(others) > 1 else source
        titles[path] = _unused(title, label, path, lambda name: name in used or taken(name))
        used.add(titles[path])
    return titles


def _unused(title: str, label: str, path: str, is_used: Taken) -> str:
    for told_by in (label, path):
        if told_by and not is_used(named := f"{title} ({told_by})"):
            return named
    number = 2
    while is_used(named := f"{title} ({path}, {number})"):
        number += 1
    return named


def _difference(path: str, others: Iterable[str]) -> str:
    """The part of a path that none of the others has in its place."""
    mine = _steps(path)
    lists = [_steps(other) for other in others]
    shortest = min(map(len, lists))
    first = 0
    while first < shortest - 1 and len({steps[first] for steps in lists}) == 1:
        first += 1
    last = 0
    while last < shortest - 1 - first and len({steps[-1 - last] for steps in lists}) == 1:
        last += 1
    return "/".join(mine[first : len(mine) - last])


def _steps(path: str) -> list[str]:
    file, mark, part = path.partition("#")
    steps = splitext(file)[0].split("/")
    if len(steps) > 1 and steps[-1].casefold() in FOLDER_PAGES and not mark:
        steps.pop()
    return [*steps, part] if mark else steps


def _without_shared(called: Mapping[str, str]) -> dict[str, str]:
    titles = dict(called)
    if len(titles) < FEWEST:
        return titles
    for _ in range(MOST_CUTS):
        ends = Counter(part for title in titles.values() for part in _end_parts(title))
        shared = {part for part, count in ends.items() if count >= SHARED_BY * len(titles)}
        if not shared:
            break
        titles = {path: _cut(title, shared) for path, title in titles.items()}
    return titles


def _end_parts(title: str) -> set[tuple[str, str]]:
    """What a title may share: its first and its last part, with separators; its last two words."""
    separators = list(SEPARATOR.finditer(title))
    if separators:
        return {
            ("begins", title[: separators[0].end()]),
            ("ends", title[separators[-1].start() :]),
        }
    words = LAST_WORDS.search(title)
    return {("ends", words[0])} if words else set()


def _cut(title: str, shared: set[tuple[str, str]]) -> str:
    for kind, part in _end_parts(title):
        if (kind, part) in shared:
            rest = title.removeprefix(part) if kind == "begins" else title.removesuffix(part)
            title = rest.strip() or title
    return title
