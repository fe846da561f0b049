"""The marks inside a line of Org: formatting goes, links and dates stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lacuna.corpus.formats.org.links import org_link
from lacuna.corpus.pages.runs import runs_text
from lacuna.corpus.pages.table import Run

TOKEN = re.compile(
    r"""
    (?P<link>\[\[(?P<target>(?:[^\[\]\\]|\\[\s\S]){1,2000}+)\]
        (?:\[(?P<words>[^\[\]]{1,1000}|(?:[^\]]|\](?!\])){1,300})\])?\])
    | (?P<code>(?<![^\s({'"\u2013\u2014-])(?P<quote>[=~])
        (?P<inside>\S|\S[^\n]{0,199}?(?:\n[^\n]{0,199}?)?\S)
        (?P=quote)(?![^\s)}'".,;:!?\[\\\u2013\u2014-]))
    | (?P<noted>\[fn:(?P<note>[\w-]*)(?::(?P<said>(?:[^\[\]]|\[[^\]]{0,500}\]){1,3000}+))?\])
    | (?P<range>[<\[](?P<from>\d{4}-\d\d-\d\d[^<>\[\]\n]{0,80})[>\]]--
        [<\[](?P<to>\d{4}-\d\d-\d\d[^<>\[\]\n]{0,80})[>\]])
    | (?P<when>[<\[](?P<date>\d{4}-\d\d-\d\d[^<>\[\]\n]{0,80})[>\]])
    | (?P<spot><<<?(?P<name>[^<>\s](?:[^<>\n]{0,200}[^<>\s])?)>?>>)
    | (?P<angle><(?P<address>(?:https?|ftp|mailto|file):[^<>\s]{1,2000})>)
    | (?P<url>(?:https?|ftp)://[^\s\[\]<>"'|]{1,2000})
    | (?P<macro>\{\{\{(?P<called>[\w-]{1,60})
        (?:\((?P<given>(?:[^)]|\)(?!\}\}\})){0,200})\))?\}\}\})
    | (?P<snippet>@@[\w-]{1,30}:.{0,500}?@@)
    | (?P<break>\\\\(?=\n|$))
    | (?P<mark>[*/_+])
    """,
    re.VERBOSE,
)
BEFORE = frozenset(" \t\n({'\"-–—|")
AFTER = frozenset(" \t\n)}'\".,;:!?-–—[\\|")
MOST_PUT_IN = 1 << 20
DEEPEST = 4


class OrgInline:
    """Turns text into runs; ``macros`` are those that the file defines."""

    def __init__(self, macros: dict[str, str]) -> None:
        self._macros = macros
        self._room = MOST_PUT_IN
        self.notes: list[str] = []
        self.spots: list[str] = []

    def runs(self, text: str, depth: int = 0) -> list[Run]:
        """What is to be read of a text, with its line ends."""
        found: list[Run] = []
        opened: dict[str, int] = {}  # mark -> where in ``found`` it was opened
        last = 0
        for token in TOKEN.finditer(text):
            start, end = token.span()
            if start > last:
                found.append(Run(text[last:start]))
            last = end
            if mark := token["mark"]:
                before, after = text[max(start - 1, 0) : start], text[end : end + 1]
                if mark in opened and before.strip() and (not after or after in AFTER):
                    found[opened.pop(mark)] = Run("")
                    continue
                if after.strip() and (not before or before in BEFORE or before in opened):
                    opened[mark] = len(found)
                found.append(Run(mark))
            else:
                found += self._token(token, depth)
        found.append(Run(text[last:]))
        return found

    def plain(self, text: str) -> str:
        """The words alone, in one line."""
        return runs_text(self.runs(text))

    def _token(self, token: re.Match[str], depth: int) -> Iterator[Run]:
        if token["link"]:
            words = token["words"] or ""
            if words and depth < DEEPEST:
                words = runs_text(self.runs(words, depth + 1))
            yield org_link(" ".join(token["target"].split()), words)
        elif token["code"]:
            yield Run(token["inside"])
        elif token["noted"]:
            if token["said"]:
                self.notes.append(token["said"])
        elif token["range"]:
            yield Run(f"{token['from'].strip()} – {token['to'].strip()}")
        elif token["when"]:
            yield Run(token["date"].strip())
        elif token["spot"]:
            self.spots.append(token["name"])
            if token[0].startswith("<<<"):
                yield Run(token["name"])
        elif token["angle"]:
            yield Run(token["address"].removeprefix("mailto:"), token["address"])
        elif token["url"]:
            url = token["url"].rstrip(".,;:!?)")
            yield Run(url, url)
            yield Run(token["url"][len(url) :])
        elif token["macro"]:
            yield from self._macro(token["called"], token["given"] or "", depth)

    def _macro(self, name: str, given: str, depth: int) -> Iterator[Run]:
        """What the file says that a macro stands for; of another one, what it is given."""
        values = [value.strip() for value in re.split(r"(?<!\\),", given)]
        template = self._macros.get(name.lower())
        if template is None or depth >= DEEPEST:
            yield Run(given.replace("\\,", ","))
            return
        text = re.sub(r"\$(\d)", lambda at: (["", *values, *[""] * 9])[int(at[1])] or "", template)
        self._room -= len(text)
        if self._room > 0:
            yield from self.runs(text, depth + 1)
