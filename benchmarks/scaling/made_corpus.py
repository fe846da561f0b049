"""Wikis of any size out of real abstracts, as dumps of MediaWiki.

As long as there are real abstracts they are taken as they are. Beyond them, a page is a real one
with other names, other numbers and some other words: names and words are drawn as often as they
are in the real ones, and new names are coined as often as new words would turn up in real text
(Heaps' law, with the exponent of the real abstracts). So frequent terms stay as frequent, and the
vocabulary grows as it would.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from xml.sax.saxutils import escape

from benchmarks.retrieval.abstracts import abstracts

SEED = 20
LINKS = 3
"""Links of a page, to other pages of the dump; a real first paragraph has about as many."""
OTHER_WORDS = 0.15
"""Of the words that are no names: so many are replaced in a made page."""
WORD = re.compile(r"\w+")
HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">\n'


@dataclass(frozen=True)
class HeapsLaw:
    """How many different words pages have: ``words`` where there are ``pages`` of them, and with
    their number growing to the power of ``exponent``."""

    pages: int
    words: int
    exponent: float

    @classmethod
    def of(cls, texts: Sequence[str]) -> HeapsLaw:
        """Measured at a tenth of the texts and at all of them."""
        some, seen = 0, set[str]()
        for number, text in enumerate(texts, 1):
            seen.update(WORD.findall(text.lower()))
            if number == max(1, len(texts) // 10):
                some = len(seen)
        return cls(len(texts), len(seen), log(len(seen) / some) / log(10))

    def new_words(self, page: int) -> float:
        """How many words of the page with this number are new."""
        growth: float = (page / self.pages) ** (self.exponent - 1)
        return self.exponent * self.words / self.pages * growth


class MadeCorpus:
    """Pages without end: first all real ones in a random order, then made ones."""

    def __init__(self, real: Sequence[tuple[str, str]], seed: int = SEED) -> None:
        self._random = random.Random(seed)
        self._real = list(real)
        self._random.shuffle(self._real)
        self.heaps = HeapsLaw.of([text for _, text in self._real])
        words: list[str] = [word for _, text in self._real for word in WORD.findall(text)]
        self._names = [word for word in words if word[0].isupper()]
        self._others = [word for word in words if word[0].islower()]

    @classmethod
    def of_abstracts(cls) -> MadeCorpus:
        """Out of HotpotQA's abstracts."""
        return cls([(document.title, document.text) for document in abstracts()])

    def pages(self, count: int) -> Iterator[tuple[str, str]]:
        """So many titles and texts."""
        for number in range(count):
            title, text = self._real[number % len(self._real)]
            copy = number // len(self._real)
            yield (f"{title} ({copy})", self._changed(text, number)) if copy else (title, text)

    def write(self, path: Path, count: int) -> None:
        """A dump of so many pages, each with links to others."""
        draw = random.Random(SEED + count)
        with path.open("w", encoding="utf-8") as file:
            file.write(HEAD)
            for number, (title, text) in enumerate(self.pages(count), 1):
                linked = escape(self._linked(text, count, draw))
                file.write(
                    f"<page><title>{escape(title)}</title><ns>0</ns><id>{number}</id><revision>"
                    f"<model>wikitext</model><text>{linked}</text></revision></page>\n"
                )
            file.write("</mediawiki>\n")

    def _changed(self, text: str, number: int) -> str:
        draw = self._random
        rate = self.heaps.new_words(number + 1)
        coined = int(rate) + (draw.random() < rate % 1)

        def instead(found: re.Match[str]) -> str:
            nonlocal coined
            word = found[0]
            if word.isdigit():
                return str(draw.randrange(10 ** (len(word) - 1), 10 ** len(word)))
            if word[0].isupper():
                if coined > 0:
                    coined -= 1
                    return self._coined()
                return draw.choice(self._names)
            return draw.choice(self._others) if draw.random() < OTHER_WORDS else word

        return WORD.sub(instead, text)

    def _coined(self) -> str:
        """A name that there was not, of parts of three that there are."""
        parts = [self._random.choice(self._names) for _ in range(3)]
        first, middle, last = parts
        return first[: len(first) // 2 + 1] + middle[:2].lower() + last[len(last) // 2 :].lower()

    def _linked(self, text: str, count: int, draw: random.Random) -> str:
        targets = min(count, len(self._real))
        for word in list(dict.fromkeys(re.findall(r"\b[A-Z]\w{3,}", text)))[:LINKS]:
            title = self._real[draw.randrange(targets)][0]
            if not set(title) & set("[]|{}<>#\\"):
                text = re.sub(rf"\b{word}\b", f"[[{title}|{word}]]", text, count=1)
        return text
