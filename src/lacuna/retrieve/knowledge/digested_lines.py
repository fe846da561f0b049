"""Lines with a source and a sentence, read apart from each other: what is fit, and its stems.

Long sentences, negated ones and noisy ones are unfit to be knowledge (GapQA, appendix D). A clean
sentence has letters, digits and standard punctuation only, begins with a letter or a digit, is a
single sentence, and uses hyphens only inside hyphenated words.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from lacuna.corpus.source_item import Skipped
from lacuna.files.opening import open_text
from lacuna.retrieve.knowledge.build_report import Broken, BuildReport
from lacuna.text import content_stems, sameness_key

LINES_AT_ONCE = 10_000
LONGEST = 300

NEGATION = re.compile(
    r"\b(?:no|not|never|none|nor|neither|nothing|nobody|nowhere|cannot|without|except)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
STANDARD = re.compile(r"[^\W_](?:[^\W_]|[\s.,;:!?%&()'\"‘’“”/-])*")
SECOND_SENTENCE = re.compile(r"[.!?]['\")’”]*\s+\S")
LOOSE_HYPHEN = re.compile(r"(?<![^\W_])-|-(?![^\W_])")


@dataclass(frozen=True, slots=True)
class SentenceLines:
    """Some lines of a file; ``first`` is the number of the first."""

    file: str
    first: int
    lines: list[str]


@dataclass(frozen=True, slots=True)
class DigestedLines:
    """What some lines hold. ``report`` counts them, and tells what was left out.

    The stems of the first sentence are the first ``sizes[0]`` of ``occurrences``, and so on: places
    in ``stems``.
    """

    report: BuildReport
    sources: dict[str, str]
    """The source of each sentence, the first in the alphabet where there are several."""
    identities: array[int]
    stems: list[str]
    occurrences: array[int]
    sizes: array[int]


Digest = Callable[[Iterable[SentenceLines]], Iterator[DigestedLines]]
"""Digests lines, and gives what became of each piece in their order."""


def lines_of(files: Sequence[Path]) -> Iterator[SentenceLines]:
    """All lines of all files."""
    for path in files:
        with open_text(path) as source:
            first = 1
            while lines := list(islice(source.text, LINES_AT_ONCE)):
                yield SentenceLines(str(path), first, lines)
                first += len(lines)


def digested(given: SentenceLines) -> DigestedLines:
    """Leave out what is unfit, and find the stems of the rest."""
    report, sources = BuildReport(), dict[str, str]()
    for number, line in enumerate(given.lines, given.first):
        report.rows += 1
        where = f"{given.file}, line {number}"
        if (row := sentence_row(line)) is None:
            report.skip(Broken(where, "not a source and a sentence"))
        elif reason := unfit(row[1]):
            report.skip(Skipped(where, reason))
        else:
            source, sentence = row
            sources[sentence] = min(sources.get(sentence, source), source)
    numbers: dict[str, int] = {}
    occurrences, sizes = array("i"), array("i")
    for sentence in sources:
        stems = content_stems(sentence)
        occurrences.extend(numbers.setdefault(stem, len(numbers)) for stem in stems)
        sizes.append(len(stems))
    identities = array("Q", map(identity, sources))
    return DigestedLines(report, sources, identities, list(numbers), occurrences, sizes)


def identity(sentence: str) -> int:
    """Equal for sentences that say the same in the same words; 64 bits leave no chance hits."""
    return int.from_bytes(blake2b(sameness_key(sentence).encode(), digest_size=8).digest())


def sentence_row(line: str) -> tuple[str, str] | None:
    """The source and the sentence of a line, or None where it is broken."""
    columns = [column.strip() for column in line.rstrip("\r\n").split("\t")]
    return (columns[0], columns[1]) if len(columns) == 2 and all(columns) else None


def unfit(sentence: str) -> str | None:
    """Why a sentence is left out, or None where it is fit.

    >>> unfit("Metal is not a good insulator.")
    'negation'
    >>> unfit("A steel-framed house is strong.") is None
    True
    """
    if len(sentence) > LONGEST:
        return f"longer than {LONGEST} characters"
    if NEGATION.search(sentence):
        return "negation"
    if not STANDARD.fullmatch(sentence):
        return "other characters than letters, digits and standard punctuation"
    if SECOND_SENTENCE.search(sentence):
        return "more than one sentence"
    if LOOSE_HYPHEN.search(sentence):
        return "a hyphen outside a hyphenated word"
    return None
