"""The parts of all sources put together: titles and redirects are resolved, what is double goes.

The outcome is that of adding everything in order, as ``Writer.add`` does: the last document of a
title stays, and no redirect takes the place of a document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lacuna.cluster.built_part import NOTHING, BuiltPart
from lacuna.corpus.lance.new_rows import PLACES, TermCounts, document_number
from lacuna.corpus.titles import folded
from lacuna.corpus.writer import Added

RedirectRow = tuple[str, str, str, str, int]
SkippedRow = tuple[int, str, str, str]


class MergedParts:
    """What is known of a corpus when all of its parts are built; ``gone`` are rows to delete."""

    def __init__(self, parts: Iterable[BuiltPart]) -> None:
        self.counts = NOTHING
        self.gone: list[int] = []
        self.added: Counter[int] = Counter()
        self.replaced: Counter[int] = Counter()
        self._numbers: dict[str, int] = {}
        self._redirects: dict[str, tuple[str, str, int]] = {}
        self._redirected: Counter[int] = Counter()
        self._skipped: dict[tuple[int, str], str] = {}
        self._skips: Counter[int] = Counter()
        self._source_of: dict[int, int] = {}
        for part in sorted(parts, key=lambda each: each.number):
            self._take(part)

    def __len__(self) -> int:
        return len(self._numbers)

    def summary(self, source: int) -> Added:
        """What became of a source."""
        return Added(
            documents=self.added[source],
            redirects=self._redirected[source],
            skipped=self._skips[source],
            replaced=self.replaced[source],
        )

    def documents_of(self, source: int) -> int:
        """How many documents there are of a source in the end."""
        gone = sum(self._source_of[number // PLACES] == source for number in self.gone)
        return self.added[source] - gone

    def skipped_of(self, source: int) -> int:
        """How many things of a source gave no document."""
        return sum(each == source for each, _ in self._skipped)

    def redirect_rows(self) -> list[RedirectRow]:
        """The rows of the table of redirects."""
        return [
            (title, folded(title), target, fragment, source)
            for title, (target, fragment, source) in sorted(self._redirects.items())
        ]

    def skipped_rows(self) -> list[SkippedRow]:
        """The rows of the table of what was skipped."""
        ordered = sorted(self._skipped.items())
        return [(source, place, "", reason) for (source, place), reason in ordered]

    def _take(self, part: BuiltPart) -> None:
        self._source_of[part.number] = source = part.source
        pairs = zip(self.counts, part.counts, strict=True)
        self.counts = TermCounts(*(one + other for one, other in pairs))
        place = 0
        for item in part.items:
            match item:
                case [title]:
                    self._put(title, document_number(part.number, place), source)
                    place += 1
                case [title, target, _] if title in self._numbers:
                    reason = f"it would stand for {target!r}, but there is a document of that title"
                    self._skip(title, reason, source)
                case [title, target, fragment]:
                    self._redirects[title] = target, fragment, source
                    self._redirected[source] += 1
                case [where, reason]:
                    self._skip(where, reason, source)

    def _put(self, title: str, number: int, source: int) -> None:
        if (before := self._numbers.get(title)) is not None:
            self.gone.append(before)
            self.replaced[source] += 1
        self._redirects.pop(title, None)
        self._numbers[title] = number
        self.added[source] += 1

    def _skip(self, place: str, reason: str, source: int) -> None:
        self._skipped[source, place] = reason
        self._skips[source] += 1
