"""Running means, shares and the words that questions begin with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lacuna.figures.charts import Branch
from lacuna.text import words


@dataclass(slots=True)
class Mean:
    """A mean that is fed one value at a time.

    >>> mean = Mean()
    >>> mean.add(2), mean.add(5), mean.value
    (None, None, 3.5)
    """

    total: float = 0.0
    count: int = 0

    def add(self, value: float) -> None:
        """Count one more value."""
        self.total += value
        self.count += 1

    @property
    def value(self) -> float | None:
        """The mean; None where nothing was counted."""
        return self.total / self.count if self.count else None

    @property
    def percent(self) -> float | None:
        """The mean of zeros and ones as a share."""
        return 100 * self.total / self.count if self.count else None


def length(text: str) -> int:
    """The length in words as the papers count it: what stands between blanks.

    >>> length("Who built it, and when?")
    5
    """
    return len(text.split())


def first_words(text: str, count: int) -> str:
    """The first words of a question, in lower case and without punctuation.

    >>> first_words("How old was Ada when …?", 3)
    'how old was'
    """
    return " ".join(words(text)[:count])


def percent(count: float, total: float) -> float | None:
    """A share in %; None of nothing.

    >>> percent(1, 4)
    25.0
    """
    return 100 * count / total if total else None


def branches(
    counts: Mapping[tuple[str, ...], int], many: int, least: float = 0.4
) -> tuple[Branch, ...]:
    """Sequences of words as a tree of shares: the most frequent first words, what follows them.

    Only ``many`` first words are shown; what follows one and is less than ``least`` % of
    everything is put together.

    >>> [(b.name, b.share) for b in branches({("who", "was"): 3, ("what", "is"): 1}, 1)]
    [('who', 75.0), ('', 25.0)]
    """
    total = sum(counts.values())
    return _level(counts, total, least, many) if total else ()


def _level(
    counts: Mapping[tuple[str, ...], int], total: int, least: float, many: int | None = None
) -> tuple[Branch, ...]:
    after: dict[str, dict[tuple[str, ...], int]] = {}
    for sequence, count in counts.items():
        tails = after.setdefault(sequence[0] if sequence else "", {})
        tails[sequence[1:]] = tails.get(sequence[1:], 0) + count
    sizes = {first: 100 * sum(tails.values()) / total for first, tails in after.items()}
    shown = [name for name in sizes if name and (many is not None or sizes[name] >= least)]
    shown = sorted(shown, key=lambda name: (-sizes[name], name))[:many]
    inner = {
        name: _level({tail: n for tail, n in after[name].items() if tail}, total, least)
        for name in shown
    }
    rest = sum(size for name, size in sizes.items() if name not in inner)
    level = tuple(Branch(name, sizes[name], inner[name]) for name in shown)
    return (*level, Branch("", rest)) if rest else level


def top_rows(counts: Mapping[str, int], many: int) -> Iterable[tuple[str, int, float | None]]:
    """The most frequent labels with their counts and shares."""
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return ((label, count, percent(count, total)) for label, count in ordered[:many])
