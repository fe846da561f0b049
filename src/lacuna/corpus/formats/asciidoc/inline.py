"""The marks inside a line of AsciiDoc: formatting goes, links stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lacuna.corpus.pages.page import LinkKind
from lacuna.corpus.pages.runs import runs_text
from lacuna.corpus.pages.table import Run

TOKEN = re.compile(
    r"""
    (?P<escape>\\(?=[*_`\#^~\[{<+(&]|https?:|\w+:[^\s\[]*\[))
    | (?P<triple>\+\+\+(?P<raw3>.{0,2000}?)\+\+\+|\$\$(?P<raw2>.{0,2000}?)\$\$)
    | (?P<quoted>["']`(?P<said>[^`]{1,2000})`["']|``(?P<told>[^`'\n]{1,300})'')
    | (?P<code>``(?P<code2>[^`]{1,2000}?)``
        |(?<![\w`])`(?P<code1>[^`\s](?:[^`]{0,2000}?[^`\s])?)`(?![\w`]))
    | (?P<pass>(?<![\w+])\+(?P<raw1>[^\s+](?:[^+\n]{0,500}[^\s+])?)\+(?![\w+]))
    | (?P<macro>\b(?P<name>link|xref|mailto|image|kbd|btn|menu|footnote|footnoteref|icon|pass|stem
        |latexmath|asciimath|anchor|indexterm2?|linkgit|video|audio)
        :(?P<target>[^\s\[\]:][^\s\[\]]{0,999}|)\[(?P<words>(?:[^\[\]\\]|\\.|\[[^\[\]]{0,500}\]){0,2000})\])
    | (?P<see><<(?P<id>[^<>,\n]{1,300})(?:,(?P<seen>[^<>]{0,500}))?>>)
    | (?P<url>(?:https?|ftp|irc)://[^\s\[\]<>"'`|]{1,2000})(?:\[(?P<label>(?:[^\[\]\\]|\\.|\[[^\[\]]{0,300}\]){0,1000})\])?
    | (?P<unknown>\{[\w-]{1,100}\}[^\s\[\]]{1,500}\[(?P<unknown_words>[^\[\]]{1,500})\])
    | (?P<spot>\[\[(?P<spot_id>[\w:.-]{1,200})(?:,[^\[\]]{0,300})?\]\])
    | (?P<hidden>\(\(\([^()]{0,500}\)\)\))
    | (?P<term>\(\((?P<shown>[^()]{1,300})\)\))
    | (?P<role>\[[\w.\#%-]{1,60}\](?=[*_\#`]))
    | (?P<script>\^(?P<above>[^\s^]{1,100})\^|~(?P<below>[^\s~]{1,100})~)
    | (?P<entity>&(?P<char>amp|lt|gt|nbsp|\#\d{1,6});)
    | (?P<mark>\*\*?|__?|\#\#?)
    """,
    re.VERBOSE | re.DOTALL,
)
PAGE = re.compile(r"\.(?:adoc|asciidoc|asc|html?|md|txt)\b", re.IGNORECASE)
ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "nbsp": " "}
DEEPEST = 4


class AsciidocInline:
    """Turns text into runs; ``titles`` are the headings that ids of the document stand for.

    ``page_path`` says what path a cross reference to another file means.
    """

    def __init__(self, titles: dict[str, str], page_path: Callable[[str], str]) -> None:
        self._titles = titles
        self.page_path = page_path
        self.footnotes: list[str] = []
        self.spots: list[str] = []

    def runs(self, text: str, depth: int = 0) -> list[Run]:
        """What is to be read of a text, with its line ends."""
        found: list[Run] = []
        opened: dict[str, int] = {}  # mark -> where in ``found`` it was opened
        last = 0
        for token in TOKEN.finditer(text):
            if token.start() < last:
                continue  # it was escaped
            if token.start() > last:
                found.append(Run(text[last : token.start()]))
            last = token.end()
            if token["mark"]:
                self._mark(text, token, found, opened)
            elif token["escape"]:
                found.append(Run(text[last : last + 1]))
                last += 1
            else:
                found += self._token(token, depth)
        found.append(Run(text[last:]))
        return found

    def plain(self, text: str) -> str:
        """The words alone, in one line."""
        return runs_text(self.runs(text))

    def _mark(
        self, text: str, token: re.Match[str], found: list[Run], opened: dict[str, int]
    ) -> None:
        """Takes a pair of marks away; one that finds no partner stays in the text."""
        mark = token["mark"]
        start, end = token.span()
        before, after = text[max(start - 1, 0) : start], text[end : end + 1]
        double = len(mark) == 2
        if mark in opened and before.strip() and (double or not (after.isalnum() or after == "_")):
            found[opened.pop(mark)] = Run("")
        elif after.strip() and (double or not (before.isalnum() or before in ("_", "}"))):
            opened[mark] = len(found)
            found.append(Run(mark))
        else:
            found.append(Run(mark))

    def _token(self, token: re.Match[str], depth: int) -> Iterator[Run]:
        if token["triple"]:
            yield Run(token["raw3"] or token["raw2"] or "")
        elif token["quoted"]:
            yield Run(f'"{token["said"] or token["told"]}"')
        elif token["code"]:
            code = token["code2"] or token["code1"]
            inner = code[1:-1] if len(code) > 2 and code[0] == code[-1] == "+" else code
            yield from self._code(inner, depth)
        elif token["pass"]:
            yield Run(token["raw1"])
        elif token["macro"]:
            words = token["words"].replace("\\]", "]")
            yield from self._macro(token["name"], token["target"], words, depth)
        elif token["see"]:
            yield self._see(token["id"].strip(), token["seen"] or "", depth)
        elif token["url"]:
            yield from self._url(token["url"], token["label"], depth)
        elif token["unknown"]:  # an address that begins with an attribute of another file
            yield Run(self._words(token["unknown_words"], depth))
        elif token["spot"]:
            self.spots.append(token["spot_id"])
        elif token["term"]:
            yield Run(token["shown"])
        elif token["script"]:
            yield Run(token["above"] or token["below"])
        elif token["entity"]:
            name = token["char"]
            yield Run(ENTITIES.get(name) or chr(min(int(name[1:]), 0xD7FF)))

    def _code(self, code: str, depth: int) -> Iterator[Run]:
        """Code may hold a link and nothing else that would be read as marks."""
        if depth < DEEPEST and ("xref:" in code or "link:" in code or code.startswith("<<")):
            yield from self.runs(code, depth + 1)
        else:
            yield Run(code)

    def _macro(self, name: str, target: str, words: str, depth: int) -> Iterator[Run]:
        match name:
            case "link" | "mailto":
                yield self._linked(target, words, depth, address=name == "mailto")
            case "xref":
                yield self._see(target, words, depth)
            case "linkgit":
                yield Run(f"{target}({words})" if words else target, target, LinkKind.NAME)
            case "image" | "video" | "audio":
                yield Run(alt_text(words), picture=target)
            case "menu":
                parts = [target, *(part.strip() for part in words.split(">"))]
                yield Run(" › ".join(part for part in parts if part))
            case "footnote" | "footnoteref":
                note = words.partition(",")[2] if name == "footnoteref" else words
                if note.strip():
                    self.footnotes.append(note)
            case "anchor":
                self.spots.append(target)
            case "icon" | "indexterm":
                return
            case _:
                yield Run(words)

    def _linked(self, target: str, words: str, depth: int, address: bool = False) -> Run:
        shown = self._words(words, depth) or target.removesuffix("^")
        return Run(shown, f"mailto:{target}" if address else target.strip("+"))

    def _see(self, target: str, words: str, depth: int) -> Run:
        """A cross reference: to another file, or to an id."""
        path, _, part = target.partition("#")
        shown = self._words(words, depth)
        if path and (part or PAGE.search(path) or "/" in path):
            if not PAGE.search(path):
                path += ".adoc"
            full = self.page_path(path) + (f"#{part}" if part else "")
            return Run(shown or path.rpartition("/")[2].rpartition(".")[0], full)
        name = part or path
        return Run(shown or self._titles.get(name, name), name, LinkKind.LABEL)

    def _url(self, url: str, label: str | None, depth: int) -> Iterator[Run]:
        rest = ""
        if label is None:
            kept = url.rstrip(".,;:!?)")
            url, rest = kept, url[len(kept) :]
        yield Run(self._words(label or "", depth) or url, url)
        if rest:
            yield Run(rest)

    def _words(self, words: str, depth: int) -> str:
        """The text of a link, without the attributes that may follow it."""
        if words.startswith('"'):
            words = words[1:].partition('"')[0]
        elif "=" in words:
            words = re.split(r",\s*\w+=", f",{words}", maxsplit=1)[0].removeprefix(",")
        words = words.removesuffix("^").strip()
        if depth >= DEEPEST:
            return words
        return runs_text(self.runs(words, depth + 1))


def alt_text(words: str) -> str:
    """The description in an image's attributes.

    >>> alt_text('"A boat, at sea",320,240'), alt_text("Boat,320"), alt_text("width=200")
    ('A boat, at sea', 'Boat', '')
    """
    named = re.search(r'\balt="([^"]*)"|\balt=([^,\]]*)', words)
    if named:
        return named[1] or named[2] or ""
    if words.startswith('"'):
        return words[1:].partition('"')[0]
    first = words.partition(",")[0].strip()
    return "" if "=" in first else first
