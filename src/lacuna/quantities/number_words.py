"""Numbers in words: "twenty-one", "a dozen", "two thousand and three", "third".

text2num 3.1 was tried in place of these tables: it is quick, but finds a million in "half a
million" and 102 in "one hundred and two hundred", knows no dozen, and counts tokens where offsets
are needed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_ROUND_ORDINALS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"

_CARDINAL_VALUES = {
    **{word: value for value, word in enumerate(_ONES.split())},
    **{word: value * 10 for value, word in enumerate(_TENS.split(), 2)},
}
_ORDINAL_VALUES = {
    **{word: value for value, word in enumerate(_ORDINALS.split(), 1)},
    **{word: value * 10 for value, word in enumerate(_ROUND_ORDINALS.split(), 2)},
}
_FIRST_WORDS = {**_CARDINAL_VALUES, "a": 1.0, "half": 0.5}
_DOZEN = 12
SCALES = {
    "dozen": _DOZEN,
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
_PARTS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
}


def _either(words: Iterable[str]) -> str:
    """A pattern for any of the words, capitalised or not, that branches on the first letter."""
    ordered = sorted(words, key=lambda word: (word[0], -len(word)))
    letters = (
        f"[{letter}{letter.upper()}](?:{'|'.join(word[1:] for word in group)})"
        for letter, group in groupby(ordered, key=lambda word: word[0])
    )
    return f"(?:{'|'.join(letters)})\\b"


SCALE = _either(SCALES)
_NUMBER_WORD = _either([*_CARDINAL_VALUES, *_ORDINAL_VALUES])
_NEXT_WORD = _either([*_CARDINAL_VALUES, *_ORDINAL_VALUES, *SCALES])
# "half" alone is no quantity: in most texts it is the half of a match. The repeat is possessive:
# a long row of number words is read once and never again.
NUMBER_WORDS = (
    rf"(?:(?:[Hh]alf(?: a |[ -])|[Aa] ){SCALE}|(?<![0-9]-){_NUMBER_WORD})"
    rf"(?:(?: and |[ -]){_NEXT_WORD})*+"
)
FRACTION = (
    rf"(?:{_either(_ONES.split()[1:10])}-(?:{'|'.join(_PARTS)})s?\b|{_either(['one'])} third\b"
    rf"|{_either(['two'])} thirds\b)"
)

_WORD = re.compile(r"[a-z]+")


class NumberInWords(NamedTuple):
    """A number and where its words stand."""

    start: int
    end: int
    value: float
    ordinal: bool = False


def fraction_value(words: str) -> float:
    """The value of a fraction in words.

    >>> fraction_value("three-quarters")
    0.75
    """
    number, part = words.lower().replace("-", " ").split()
    return _CARDINAL_VALUES[number] / _PARTS[part.removesuffix("s")]


def read_number_words(run: str) -> Iterator[NumberInWords]:
    """The numbers in a row of number words, split where they do not add up to one.

    >>> [number.value for number in read_number_words("two thousand and three")]
    [2003.0]
    >>> [number.value for number in read_number_words("one hundred and two hundred")]
    [100.0, 200.0]
    """
    words = [(match.start(), match.end(), match.group()) for match in _WORD.finditer(run.lower())]
    number = _Number()
    for index, (start, end, word) in enumerate(words):
        if word == "and":
            upcoming = [
                SCALES[later] for *_, later in words[index + 1 : index + 5] if later in SCALES
            ]
            done = not number.goes_on_after_and(upcoming)
        elif word == "a" and number.begun:  # half a million
            continue
        elif word in SCALES:
            done = not number.multiply(SCALES[word], end)
        else:
            ordinal = word in _ORDINAL_VALUES
            value = _ORDINAL_VALUES[word] if ordinal else _FIRST_WORDS.get(word, 0)
            if not number.add(value, start, end):
                yield number.result()
                number = _Number()
                number.add(value, start, end)
            number.ordinal = done = ordinal
        if done and number.begun:
            yield number.result()
            number = _Number()
    if number.begun:
        yield number.result()


class _Number:
    """A number that grows word by word."""

    __slots__ = ("_ceiling", "_closed", "_end", "_open", "_scale", "_start", "begun", "ordinal")

    def __init__(self) -> None:
        self.begun = self.ordinal = False
        self._start = self._end = 0
        self._closed = 0.0  # what a thousand or a million has closed
        self._open = 0.0  # what the next scale will multiply
        self._scale = math.inf  # the last scale word
        self._ceiling = math.inf  # a later thousand or million must be smaller

    def add(self, value: float, start: int, end: int) -> bool:
        """Add a word below a hundred; False if it cannot follow what is there."""
        if not self.begun:
            self.begun, self._start = True, start
        elif not self._open % 100:
            if not value or self._scale == math.inf:
                return False
        elif not (self._open % 100 >= 20 and not self._open % 10 and 0 < value < 10):
            return False
        self._open += value
        self._end = end
        return True

    def multiply(self, scale: int, end: int) -> bool:
        """Take a scale word; False if it cannot follow what is there."""
        if not self._open or scale >= self._ceiling or scale <= 100 <= self._open:
            return False
        if scale <= 100:
            self._open *= scale
        else:
            self._closed += self._open * scale
            self._open = 0.0
            self._ceiling = scale
        self._scale, self._end = scale, end
        return scale != _DOZEN

    def goes_on_after_and(self, upcoming: Sequence[int]) -> bool:
        """As in "two hundred and three", but not in "two hundred and three hundred"."""
        return self._scale < math.inf and all(scale < self._scale for scale in upcoming)

    def result(self) -> NumberInWords:
        return NumberInWords(self._start, self._end, self._closed + self._open, self.ordinal)
