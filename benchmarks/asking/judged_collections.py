"""Questions over collections of documents, real and strangers', all judged in one way.

A real question comes with patterns. A stranger's comes with the shortest complete answer in the
words of its document: an answer is right that has all of its words, or, without contradicting its
numbers, so many that both say about the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from benchmarks.data import data_folder
from benchmarks.retrieval.real_questions import real_folder
from lacuna.datasets import get_dataset
from lacuna.datasets.real import NO, NONE, YES, Judgement, Match, collection_of, outcome
from lacuna.metrics.metric import overlap
from lacuna.text import content_stems, words
from lacuna_lab.data.strangers import FITTED, FOLDER, MEASURED, QUESTIONS, read_collection

REAL = "real"
SETS = {REAL: frozenset[str](), "fitted": FITTED, "measured": MEASURED}
"""What may be asked: ``measured`` only to report, never to choose by."""
SAME_KIND = {"single": "fact", "two-hop": "two_hop", "yesno": "yes_no"}
SAYS_THE_SAME = 0.6
"""The F1 of the content words from which on two phrases count as the same."""

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_NUMBER_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
_BARE = {"yes": YES, "no": NO, "none": NONE}


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with what it is judged by: patterns, or the texts that an answer must say."""

    id: str
    collection: str
    kind: str
    text: str
    match: Match | None = None
    wanted: tuple[str, ...] = ()
    pair: str = ""
    source: str = REAL

    @property
    def is_answerable(self) -> bool:
        """Whether the documents answer it."""
        return self.match != NONE

    @property
    def gold(self) -> str:
        """What is wanted, to be read."""
        return " | ".join(self.wanted) or str(self.match)

    def judge(self, text: str) -> Judgement:
        """How an answer turns out, by its text; that of none is "none"."""
        if self.match is not None:
            return outcome(self.match, text)
        if text.strip().lower() in ("none", ""):
            return Judgement.WRONGLY_NONE
        return Judgement.RIGHT if all(says(one, text) for one in self.wanted) else Judgement.WRONG


def says(wanted: str, text: str) -> bool:
    """Whether an answer says what is wanted.

    >>> says("at least 20 minutes", "20 minutes"), says("20 minutes", "2 minutes")
    (True, False)
    >>> says("Gangkar Puensum", "Gangkar Puensum, 7,570 m"), says("a blue house", "a red house")
    (True, False)
    """
    asked, given = _bag(wanted), _bag(text)
    if not asked - given:
        return True
    wanted_numbers, numbers = _numbers(asked), _numbers(given)
    if not (wanted_numbers <= numbers or (numbers and numbers <= wanted_numbers)):
        return False
    return overlap(" ".join(given.elements()), " ".join(asked.elements())).f1 >= SAYS_THE_SAME


def _bag(text: str) -> Counter[str]:
    plain = _NUMBER_WORD.sub(_digits, _THOUSANDS.sub("", text))
    return Counter(content_stems(plain) or words(plain))


def _digits(word: re.Match[str]) -> str:
    return str(_NUMBER_WORDS.index(word[0].lower()))


def _numbers(bag: Counter[str]) -> set[str]:
    return {word for word in bag if word[0].isdigit()}


def asked_questions(sets: Sequence[str], only: Sequence[str] = ()) -> Iterator[JudgedQuestion]:
    """The questions of some sets, or of some of their collections alone."""
    for source in sets:
        every = _real() if source == REAL else _strangers(source)
        yield from (one for one in every if not only or one.collection in only)


def _real() -> Iterator[JudgedQuestion]:
    with get_dataset(REAL).open(real_folder() / "questions.json") as file:
        for question in file.questions():
            extra = question.extra
            kind = str(extra.get("kind"))
            yield JudgedQuestion(
                question.id,
                collection_of(question),
                SAME_KIND.get(kind, kind),
                question.text,
                extra["match"],
                pair=str(extra.get("pair") or ""),
            )


def _strangers(source: str) -> Iterator[JudgedQuestion]:
    for name in sorted(SETS[source]):
        left_out: Counter[str] = Counter()
        path = data_folder() / FOLDER / f"{name}{QUESTIONS}"
        for one in read_collection(path, left_out):
            match = None
            if one.kind in ("yes_no", "none"):
                with suppress(KeyError):
                    match = _BARE[one.answers[0].strip().lower()]
            wanted = () if match else one.answers
            yield JudgedQuestion(one.id, name, one.kind, one.text, match, wanted, one.pair, source)
        if left_out:
            raise AssertionError(f"{name}: {dict(left_out)}")
