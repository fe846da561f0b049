"""Where the links of a set of HTML pages lead: from an href to the title of another page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from posixpath import dirname, join, normpath, splitext
from urllib.parse import unquote

from lacuna.corpus.formats.registry import HTML_SUFFIXES
from lacuna.corpus.titles import split_fragment, title_of_path

MEDIA_SUFFIXES = (".jpg", ".jpeg", ".png", ".gif", ".svg", ".ogg", ".pdf", ".webp")
ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def is_page(name: str) -> bool:
    """Whether a file name is that of an HTML page."""
    return name.lower().endswith(HTML_SUFFIXES)


class PageSet:
    """The pages of a source by name; a title that two of them share becomes their path."""

    def __init__(self, names: Iterable[str]) -> None:
        titles = {name: title_of_path(name) for name in names}
        shared = {title for title, count in Counter(titles.values()).items() if count > 1}
        self._titles = {
            name: unquote(splitext(name)[0]).replace("_", " ") if title in shared else title
            for name, title in titles.items()
        }
        self._known = set(self._titles.values())
        self._target = lru_cache(maxsize=1 << 16)(self._find_target)

    def __len__(self) -> int:
        return len(self._titles)

    def title(self, name: str) -> str:
        """The title of a page of the set."""
        return self._titles.get(name) or title_of_path(name)

    def is_title(self, title: str) -> bool:
        """Whether a page of the set has this title."""
        return title in self._known

    def resolve(self, page: str, href: str) -> tuple[str, str] | None:
        """The title and fragment that an href on a page leads to; None if that is no page.

        A page that is not in the set gets the title that it would have: the link dangles.
        """
        path, fragment = split_fragment(href.strip())
        path = path.partition("?")[0]
        if not path or ELSEWHERE.match(path):
            return None
        target = self._target(dirname(page), path)
        return (target, fragment) if target else None

    def _find_target(self, folder: str, path: str) -> str:
        # An address that starts with "/" counts from the root of the set.
        name = normpath(join("/", folder, unquote(path))).lstrip("/")
        if path.endswith("/"):
            name = f"{name}/index.html".lstrip("/")
        for candidate in (name, *(name + suffix for suffix in HTML_SUFFIXES)):
            if candidate in self._titles:
                return self._titles[candidate]
        stem, suffix = splitext(name)
        if suffix.lower() not in HTML_SUFFIXES or stem.lower().endswith(MEDIA_SUFFIXES):
            return ""
        return title_of_path(name)
