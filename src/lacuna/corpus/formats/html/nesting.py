"""Cut from a page what a parser would take for ever for, before the parser sees it.

An HTML parser needs time that grows with the square of how deeply elements are nested, how many
attributes one has, how many formats are left open, and how many options stand in a list. Real
pages have dozens of each. What a page has beyond the limits here loses its tags and keeps its text.
"""

from __future__ import annotations

import re
import sys
from collections import Counter

from lacuna.corpus.formats.html.furniture import names

DEEPEST = 400
"""Elements inside each other."""
MOST_FORMATS = 16
"""Open elements that only change how text looks."""
NEVER = sys.maxsize
LONG_ATTRIBUTES = 10_000
MOST_ATTRIBUTES = 200

TAG = re.compile(
    r"""<(?:
    (?P<comment>!--)
    |(?P<end>/?)(?P<name>[a-zA-Z][^\s/>]*+)
     (?P<attributes>[^>"'=]*+(?:(?:=\s*+(?:"[^"]*+"|'[^']*+')|["'=])[^>"'=]*+)*+)>?
    |(?P<bogus>[!?/])
    )""",
    re.VERBOSE,
)
ATTRIBUTE = re.compile(r"""[^\s"'>/=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?""")
COMMENT_END = re.compile(r"--!?>")


RAW = {
    name: re.compile(rf"</{name}\b[^>]*>?", re.IGNORECASE)
    for name in ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
}
"""What stands inside these is no markup."""
CLOSES_ITSELF = names(
    "p li dt dd tr td th thead tbody tfoot a br hr img input meta link area base col embed source "
    "track wbr param image html head body frame keygen basefont bgsound command"
)
"""These have no end, or are closed by the next of their kind."""
FORMATS = names(
    "b big code em font i nobr s small span strike strong tt u abbr cite kbd samp var sub sup mark"
)
WALLS = names("table button object marquee applet template svg math caption")
"""An end tag inside one of these does not close what was opened outside of it."""
CHOICES = names("select option optgroup selectedcontent")
SELECT_END = re.compile(r"</select\b[^>]*>?", re.IGNORECASE)


class _Open:
    """The elements that are open inside a wall."""

    def __init__(self, wall: str) -> None:
        self.wall = wall
        self.names: list[str] = []
        self.counts: Counter[str] = Counter()


class _Scan:
    """One pass over the tags of a page, noting which stretches to cut."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.cuts: list[tuple[int, int, str]] = []
        self._walls = [_Open("")]
        self._depth = 0
        self._formats: Counter[str] = Counter()
        self._open_formats = 0
        self._dropped: Counter[str] = Counter()
        self._select_end = 0

    def run(self) -> None:
        resume = 0
        for tag in TAG.finditer(self.html):
            start = tag.start()
            if start < resume:
                continue
            if tag["name"] in CLOSES_ITSELF and tag.end() - start < LONG_ATTRIBUTES:
                continue
            if tag["comment"]:
                resume = self._after(COMMENT_END, tag.start() + 2)
            elif tag["bogus"]:
                resume = self.html.find(">", tag.end()) + 1 or len(self.html)
            else:
                resume = self._tag(tag)

    def _after(self, end: re.Pattern[str], start: int) -> int:
        found = end.search(self.html, start)
        return found.end() if found else len(self.html)

    def _tag(self, tag: re.Match[str]) -> int:
        """Where to go on: behind the tag, or behind all that its element holds."""
        name = tag["name"].lower()
        if name in CHOICES:
            return self._choice(tag, name)
        if tag["end"]:
            if name not in CLOSES_ITSELF and not self._closes(name):
                self.cuts.append((*tag.span(), ""))
            return tag.end()
        if len(tag["attributes"]) > LONG_ATTRIBUTES:
            self._shorten(tag)
        if name in RAW:
            return self._after(RAW[name], tag.end())
        if name not in CLOSES_ITSELF and not tag["attributes"].endswith("/"):
            self._opens(name, tag)
        return tag.end()

    def _choice(self, tag: re.Match[str], name: str) -> int:
        end = tag.end()
        if name == "select" and not tag["end"]:
            if self._select_end < end:
                found = SELECT_END.search(self.html, end)
                self._select_end = found.end() if found else NEVER
            # A list that never ends would take the rest of the page with it.
            end = self._select_end if self._select_end != NEVER else end
        self.cuts.append((tag.start(), end, " "))
        return end

    def _shorten(self, tag: re.Match[str]) -> None:
        attributes = ATTRIBUTE.findall(tag["attributes"])
        if len(attributes) > MOST_ATTRIBUTES:
            kept = " ".join(attributes[:MOST_ATTRIBUTES])
            self.cuts.append((*tag.span("attributes"), f" {kept} "))

    def _opens(self, name: str, tag: re.Match[str]) -> None:
        if name in FORMATS:
            fits = self._open_formats < MOST_FORMATS
            if fits:
                self._formats[name] += 1
                self._open_formats += 1
        else:
            fits = self._depth < DEEPEST
            if fits:
                self._depth += 1
                if name in WALLS:
                    self._walls.append(_Open(name))
                else:
                    self._walls[-1].names.append(name)
                    self._walls[-1].counts[name] += 1
        if not fits:
            self._dropped[name] += 1
            self.cuts.append((*tag.span(), " "))

    def _closes(self, name: str) -> bool:
        """Whether an end tag ends something that the parser was given."""
        if self._dropped[name]:
            self._dropped[name] -= 1
            return False
        if name in FORMATS:
            if not self._formats[name]:
                return False
            self._formats[name] -= 1
            self._open_formats -= 1
            return True
        if name in WALLS:
            return self._leaves_wall(name)
        inside = self._walls[-1]
        if not inside.counts[name]:
            return name == "p"
        while inside.names:
            last = inside.names.pop()
            inside.counts[last] -= 1
            self._depth -= 1
            if last == name:
                break
        return True

    def _leaves_wall(self, name: str) -> bool:
        if all(wall.wall != name for wall in self._walls):  # no more of them than DEEPEST
            return False
        while True:
            left = self._walls.pop()
            self._depth -= len(left.names) + 1
            if left.wall == name:
                return True


def tamed(html: str) -> str:
    """The page with nothing in it that its parser would take more than linear time for.

    >>> tamed("<p>One <b>two</b></i></p><select><option>three</select>")
    '<p>One <b>two</b></p> '
    """
    scan = _Scan(html)
    scan.run()
    pieces: list[str] = []
    at = 0
    for start, end, instead in sorted(scan.cuts):
        if start >= at:
            pieces += (html[at:start], instead)
            at = end
    return "".join((*pieces, html[at:])) if scan.cuts else html
