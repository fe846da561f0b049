"""Build a knowledge base from files with triples and files with sentences."""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lacuna.corpus.store import Skipped
from lacuna.errors import LacunaError
from lacuna.files.opening import open_text
from lacuna.retrieve.bm25 import Bm25Weights, idf, term_weight
from lacuna.retrieve.knowledge.arrays import (
    NamedArrays,
    in_order,
    merge_occurrences,
    posting_arrays,
    save_arrays,
    string_arrays,
)
from lacuna.text import content_stems, sameness_key

EXAMPLES = 5
REPORT_EVERY = 10_000

Progress = Callable[[int], None]
"""Called with how many rows are read."""


@dataclass(frozen=True, slots=True)
class Broken(Skipped):
    """A row that is not as it should be, unlike one that is left out for what it says."""


@dataclass(slots=True)
class BuildReport:
    """``rows`` = ``kept`` + ``merged`` + all of ``skipped``."""

    rows: int = 0
    kept: int = 0
    merged: int = 0
    broken: int = 0
    """The number of skipped rows that are broken."""
    skipped: Counter[str] = field(default_factory=Counter)
    examples: list[Skipped] = field(default_factory=list)
    """The first few rows left out for each reason."""

    def skip(self, row: Skipped) -> None:
        """Count a row that is left out."""
        self.skipped[row.reason] += 1
        self.broken += isinstance(row, Broken)
        if self.skipped[row.reason] <= EXAMPLES:
            self.examples.append(row)

    def add(self, other: BuildReport) -> None:
        """Count what another one has seen after this."""
        seen = Counter(self.skipped)
        for row in other.examples:
            seen[row.reason] += 1
            if seen[row.reason] <= EXAMPLES:
                self.examples.append(row)
        self.rows += other.rows
        self.broken += other.broken
        self.skipped += other.skipped

    def seen(self, progress: Progress | None) -> None:
        """Count a row, and report progress now and then."""
        self.rows += 1
        if progress and self.rows % REPORT_EVERY == 0:
            progress(self.rows)

    @property
    def broken_examples(self) -> list[Skipped]:
        """The first few rows of each way to be broken."""
        return [row for row in self.examples if isinstance(row, Broken)]

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON."""
        counts = {"rows": self.rows, "kept": self.kept, "merged": self.merged}
        return {**counts, "broken": self.broken, "left_out": dict(self.skipped.most_common())}

    def __str__(self) -> str:
        reasons = "".join(f"; {count} left out: {why}" for why, count in self.skipped.most_common())
        return f"{self.rows} rows: {self.kept} kept, {self.merged} merged{reasons}"


# Read triples from ConceptNet's files, one row at a time.
#
# Two layouts are told apart by how a line begins: tab-separated relation, head, tail, weight and
# sources; and ConceptNet's own assertions (``/a/[…]``, ``/r/MadeOf``, ``/c/en/belt_buckle``,
# ``/c/en/metal``, JSON), of which the English ones are kept.


ASSERTION = "/a/"
"""The beginning of a line of ConceptNet's own file."""
ENGLISH = re.compile(r"/c/en/([^/]+)")


@dataclass(frozen=True, slots=True)
class Triple:
    """Head, relation and tail, how sure the sources are of it, and which sources they are."""

    relation: str
    head: str
    tail: str
    weight: float = 1.0
    sources: tuple[str, ...] = ()


class _BadRow(Exception):  # noqa: N818 - never leaves this file
    """The reason why a row gives no triple."""


class _Foreign(_BadRow):
    """There is a triple, but in another language."""


def triple_rows(path: Path) -> Iterator[Triple | Skipped]:
    """The triples of a file, and what it had instead of one where a row is broken."""
    with open_text(path) as source:
        for number, line in enumerate(source.text, 1):
            try:
                yield _triple(line)
            except _BadRow as problem:
                kind = Skipped if isinstance(problem, _Foreign) else Broken
                yield kind(f"{path}, line {number}", str(problem))


def is_triple(line: str) -> bool:
    """Tell if a line is one of either layout; it need not be English."""
    try:
        _triple(line)
    except _BadRow as problem:
        return isinstance(problem, _Foreign)
    return True


def _triple(line: str) -> Triple:
    parse = _assertion if line.startswith(ASSERTION) else _plain
    triple = parse(line.rstrip("\r\n"))
    if not (triple.relation and triple.head and triple.tail):
        raise _BadRow("an empty relation, head or tail")
    return triple


def _plain(line: str) -> Triple:
    relation, head, tail, weight, sources = _columns(line)
    names = tuple(sorted({name for name in sources.strip().split(",") if name}))
    return Triple(relation.strip(), _phrase(head), _phrase(tail), _weight(weight), names)


def _assertion(line: str) -> Triple:
    _, relation, head, tail, details = _columns(line)
    ends = ENGLISH.match(head), ENGLISH.match(tail)
    if not (ends[0] and ends[1]):
        raise _Foreign("not English")
    try:
        fields = json.loads(details)
        weight, dataset = fields["weight"], str(fields.get("dataset") or "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise _BadRow("details that are no JSON object with a weight") from None
    sources = (dataset.removeprefix("/d/"),) if dataset else ()
    name = relation.rpartition("/")[2]  # /r/MadeOf, /r/dbpedia/genre
    return Triple(name, _phrase(ends[0][1]), _phrase(ends[1][1]), _weight(weight), sources)


def _columns(line: str) -> list[str]:
    columns = line.split("\t")
    if len(columns) != 5:
        raise _BadRow("not five columns")
    return columns


def _phrase(text: str) -> str:
    return " ".join(text.replace("_", " ").split())


def _weight(value: str | float) -> float:
    try:
        weight = float(value)
    except (TypeError, ValueError, OverflowError):
        weight = math.nan
    if not (math.isfinite(weight) and weight >= 0):
        raise _BadRow("a weight that is no number from 0 up")
    return weight


TRIPLES_KIND = "triples"
IN_HEAD, IN_TAIL = 1, 2
"""The notes of the index: where in a triple a stem stands; their sum means both."""

Ints = NDArray[np.int64]


def build_triples(
    files: Sequence[Path], folder: Path, *, progress: Progress | None = None
) -> BuildReport:
    """Build the store of ``Triples.open`` from ConceptNet's files.

    Rows that say the same (relation, head and tail) become one triple with the highest weight and
    all the sources. Triples are numbered by head, relation and tail, whatever the order of the
    rows, so that the same rows always give the same store and the same ties.
    """
    report = BuildReport()
    rows = _Rows()
    for path in files:
        for row in triple_rows(path):
            report.seen(progress)
            if isinstance(row, Skipped):
                report.skip(row)
            else:
                rows.add(row)
    if not len(rows.weights):
        names = ", ".join(str(path) for path in files)
        raise LacunaError(f"{names} holds no triples ({report}). Is it ConceptNet's file?")
    phrases, relations, triples = rows.merged()
    report.kept = len(triples["weights"])
    report.merged = len(rows.weights) - report.kept
    arrays = {
        **string_arrays("phrase", phrases),
        **triples,
        **_stem_arrays(phrases, triples["heads"], triples["tails"]),
    }
    meta = {"relations": relations, "source_sets": [list(names) for names in rows.source_sets]}
    save_arrays(folder, TRIPLES_KIND, arrays, meta)
    return report


class _Rows:
    """Rows as numbers, which take a tenth of the memory that they would take as objects."""

    def __init__(self) -> None:
        self.phrases: dict[str, int] = {}
        self.relations: dict[str, int] = {}
        self.source_sets: dict[tuple[str, ...], int] = {}
        self.weights = array("d")
        self._columns = array("i"), array("i"), array("i"), array("i")

    def add(self, row: Triple) -> None:
        heads, relations, tails, sources = self._columns
        heads.append(_number(self.phrases, row.head))
        relations.append(_number(self.relations, row.relation))
        tails.append(_number(self.phrases, row.tail))
        sources.append(_number(self.source_sets, row.sources))
        self.weights.append(row.weight)

    def merged(self) -> tuple[list[str], list[str], NamedArrays]:
        """Phrases and relations in order, and the triples that refer to them, each once."""
        phrases, relations = in_order(self.phrases), in_order(self.relations)
        head, relation, tail, sources = (np.array(column, np.int64) for column in self._columns)
        place = _places(self.phrases, phrases)
        head, tail = place[head], place[tail]
        relation = _places(self.relations, relations)[relation]
        order = np.lexsort((tail, relation, head))
        head, relation, tail = head[order], relation[order], tail[order]
        same = (head[1:] == head[:-1]) & (relation[1:] == relation[:-1]) & (tail[1:] == tail[:-1])
        firsts = np.flatnonzero(np.concatenate(([True], ~same)))
        weights = np.array(self.weights)[order]
        return (
            phrases,
            relations,
            {
                "heads": head[firsts].astype(np.int32),
                "relations": relation[firsts].astype(np.int16),
                "tails": tail[firsts].astype(np.int32),
                "weights": np.maximum.reduceat(weights, firsts),
                "sources": self._joined_sources(sources[order], firsts),
            },
        )

    def _joined_sources(self, sources: Ints, firsts: Ints) -> NDArray[np.int32]:
        joined = sources[firsts]
        names = list(self.source_sets)
        sizes = np.diff(np.append(firsts, len(sources)))
        for group in np.flatnonzero(sizes > 1).tolist():
            start = int(firsts[group])
            together = {name for s in sources[start : start + sizes[group]] for name in names[s]}
            joined[group] = _number(self.source_sets, tuple(sorted(together)))
        return joined.astype(np.int32)


def _number(numbers: dict[Any, int], key: Any) -> int:
    return numbers.setdefault(key, len(numbers))


def _places(numbers: dict[str, int], ordered: Iterable[str]) -> Ints:
    """The place of each number's text in the ordered list."""
    places = np.empty(len(numbers), np.int64)
    places[[numbers[text] for text in ordered]] = np.arange(len(numbers))
    return places


def _stem_arrays(phrases: list[str], heads: Ints, tails: Ints) -> NamedArrays:
    numbers: dict[str, int] = {}
    flat = array("i")  # the stems of all phrases, one phrase after the other
    ends = array("q")
    for phrase in phrases:
        flat.extend(sorted({_number(numbers, stem) for stem in content_stems(phrase)}))
        ends.append(len(flat))
    stems = in_order(numbers)
    flat_stems = _places(numbers, stems)[np.array(flat, np.int64)]
    triples: list[Ints] = []
    occurrences: list[Ints] = []
    for column in (heads, tails):
        triple, position = _expand(column, np.array(ends, np.int64))
        triples.append(triple)
        occurrences.append(flat_stems[position])
    sides = np.repeat([IN_HEAD, IN_TAIL], [len(triples[0]), len(triples[1])])
    stem, item, side = merge_occurrences(
        np.concatenate(occurrences), np.concatenate(triples), sides
    )
    return {
        **posting_arrays(stems, stem, item, side.astype(np.uint8)),
        "stem_counts": np.bincount(item, minlength=len(heads)).astype(np.int32),
    }


def _expand(column: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """For each triple, its number once for every stem of its phrase, and where that stem stands."""
    starts = np.concatenate(([0], ends[:-1]))
    sizes = (ends - starts)[column]
    triple = np.repeat(np.arange(len(column)), sizes)
    offset = np.arange(len(triple)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return triple, np.repeat(starts[column], sizes) + offset


# Lines with a source and a sentence, read apart from each other: what is fit, and its stems.
#
# Long sentences, negated ones and noisy ones are unfit to be knowledge (GapQA, appendix D). A
# clean sentence has letters, digits and standard punctuation only, begins with a letter or a
# digit, is a single sentence, and uses hyphens only inside hyphenated words.


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
    """The content of some lines. ``report`` counts them, and tells what was left out.

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
    """The reason to leave a sentence out, or None where it is fit.

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


SENTENCES_KIND = "sentences"
WEIGHTS = Bm25Weights(k1=1.2, b=0.75)
"""The defaults of the search engine that the paper used."""


def digested_here(lines: Iterable[SentenceLines]) -> Iterator[DigestedLines]:
    """In this process."""
    return map(digested, lines)


def build_sentences(
    files: Sequence[Path],
    folder: Path,
    *,
    progress: Progress | None = None,
    digest: Digest = digested_here,
) -> BuildReport:
    """Build the search of ``Sentences.open`` from files with a source and a sentence a line.

    Sentences are numbered in alphabetical order, whatever the order of the rows. The same sentence
    from two sources is kept once, with the source that comes first in the alphabet.
    """
    report, kept = BuildReport(), _Kept()
    for part in digest(lines_of(files)):
        report.add(part.report)
        if progress:
            progress(report.rows)
        kept.add(part)
    if not kept.numbers:
        names = ", ".join(str(path) for path in files)
        raise LacunaError(
            f"{names} holds no sentence that can be used ({report}). "
            "Each line must have a source, a tab and a sentence."
        )
    sentences = in_order(kept.numbers)
    report.kept = len(sentences)
    report.merged = report.rows - report.kept - report.skipped.total()
    source_names = in_order(kept.sources)
    numbers = {name: number for number, name in enumerate(source_names)}
    places = np.array([kept.numbers[text] for text in sentences], np.int64)
    keys = np.array(kept.identities, np.uint64)[places]
    order = np.argsort(keys, kind="stable")
    arrays = {
        **string_arrays("sentence", sentences),
        **kept.stem_arrays(places),
        "sources": np.array([numbers[kept.sources[place]] for place in places], np.int32),
        "identities": keys[order],
        "identity_numbers": order.astype(np.int32),
    }
    save_arrays(folder, SENTENCES_KIND, arrays, {"sources": source_names})
    return report


class _Kept:
    """All sentences, each once, in the order in which they came."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.sources: list[str] = []
        self.identities = array("Q")
        self._stems: dict[str, int] = {}
        self._occurrences, self._sizes = array("i"), array("i")

    def add(self, part: DigestedLines) -> None:
        stems = [self._stems.setdefault(stem, len(self._stems)) for stem in part.stems]
        start = 0
        rows = zip(part.sources.items(), part.identities, part.sizes, strict=True)
        for (sentence, source), identity, size in rows:
            known = self.numbers.setdefault(sentence, len(self.numbers))
            if known < len(self.sources):
                self.sources[known] = min(self.sources[known], source)
            else:
                self.sources.append(source)
                self.identities.append(identity)
                own = part.occurrences[start : start + size]
                self._occurrences.extend([stems[place] for place in own])
                self._sizes.append(size)
            start += size

    def stem_arrays(self, places: np.ndarray[tuple[int], np.dtype[np.int64]]) -> NamedArrays:
        """The index of the sentences when they stand in another order, by their places in this."""
        texts = in_order(self._stems)
        stem_places = np.empty(len(texts), np.int64)
        stem_places[[self._stems[text] for text in texts]] = np.arange(len(texts))
        ranks = np.empty(len(places), np.int64)
        ranks[places] = np.arange(len(places))
        sizes = np.array(self._sizes, np.int64)
        items = np.repeat(ranks, sizes)
        stem, item, times = merge_occurrences(
            stem_places[np.array(self._occurrences, np.int64)],
            items,
            np.ones(len(items), np.int64),
        )
        lengths = sizes[places]
        rarity = idf(len(places), np.bincount(stem, minlength=len(texts)))
        average = max(float(lengths.mean()), 1.0)
        # What each stem adds to the score of each sentence that holds it does not depend on a
        # query.
        weights = term_weight(times, lengths[item], average, WEIGHTS, idf=rarity[stem])
        return posting_arrays(texts, stem, item, weights.astype(np.float32))
