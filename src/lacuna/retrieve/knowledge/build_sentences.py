"""Build the sentence search: read rows, leave out unfit sentences, index the rest.

Long sentences, negated ones and noisy ones are unfit to be knowledge (GapQA, appendix D). A clean
sentence has letters, digits and standard punctuation only, begins with a letter or a digit, is a
single sentence, and uses hyphens only inside hyphenated words.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np

from lacuna.corpus.source_item import Skipped
from lacuna.errors import LacunaError
from lacuna.files.opening import open_text
from lacuna.retrieve.bm25_score import Bm25Weights, idf, term_weight
from lacuna.retrieve.knowledge.array_folder import save_arrays
from lacuna.retrieve.knowledge.build_report import Broken, BuildReport, Progress
from lacuna.retrieve.knowledge.stem_index import (
    NamedArrays,
    in_order,
    merge_occurrences,
    posting_arrays,
    string_arrays,
)
from lacuna.text import content_stems, sameness_key

KIND = "sentences"
WEIGHTS = Bm25Weights(k1=1.2, b=0.75)
"""The defaults of the search engine that the paper used."""

LONGEST = 300

NEGATION = re.compile(
    r"\b(?:no|not|never|none|nor|neither|nothing|nobody|nowhere|cannot|without|except)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
STANDARD = re.compile(r"[^\W_](?:[^\W_]|[\s.,;:!?%&()'\"‘’“”/-])*")
SECOND_SENTENCE = re.compile(r"[.!?]['\")’”]*\s+\S")
LOOSE_HYPHEN = re.compile(r"(?<![^\W_])-|-(?![^\W_])")


def build_sentences(
    files: Sequence[Path], folder: Path, *, progress: Progress | None = None
) -> BuildReport:
    """Build the search of ``Sentences.open`` from files with a source and a sentence a line.

    Sentences are numbered in alphabetical order, whatever the order of the rows. The same sentence
    from two sources is kept once, with the source that comes first in the alphabet.
    """
    report = BuildReport()
    sources: dict[str, str] = {}
    for path in files:
        for row in _rows(path):
            report.seen(progress)
            if isinstance(row, Skipped):
                report.skip(row)
                continue
            source, sentence = row
            known = sources.setdefault(sentence, source)
            sources[sentence] = min(known, source)
    if not sources:
        names = ", ".join(str(path) for path in files)
        raise LacunaError(
            f"{names} holds no sentence that can be used ({report}). "
            "Each line must have a source, a tab and a sentence."
        )
    sentences = in_order(sources)
    report.kept = len(sentences)
    report.merged = report.rows - report.kept - report.skipped.total()
    source_names = in_order(sources.values())
    numbers = {name: number for number, name in enumerate(source_names)}
    keys = np.fromiter(map(identity, sentences), np.uint64, len(sentences))
    order = np.argsort(keys, kind="stable")
    arrays = {
        **string_arrays("sentence", sentences),
        **_stem_arrays(sentences),
        "sources": np.array([numbers[sources[text]] for text in sentences], np.int32),
        "identities": keys[order],
        "identity_numbers": order.astype(np.int32),
    }
    save_arrays(folder, KIND, arrays, {"sources": source_names})
    return report


def identity(sentence: str) -> int:
    """Equal for sentences that say the same in the same words; 64 bits leave no chance hits."""
    return int.from_bytes(blake2b(sameness_key(sentence).encode(), digest_size=8).digest())


def _rows(path: Path) -> Iterator[tuple[str, str] | Skipped]:
    with open_text(path) as source:
        for number, line in enumerate(source.text, 1):
            where = f"{path}, line {number}"
            if (row := sentence_row(line)) is None:
                yield Broken(where, "not a source and a sentence")
            elif reason := unfit(row[1]):
                yield Skipped(where, reason)
            else:
                yield row


def sentence_row(line: str) -> tuple[str, str] | None:
    """The source and the sentence of a line, or None where it is broken."""
    columns = [column.strip() for column in line.rstrip("\r\n").split("\t")]
    return (columns[0], columns[1]) if len(columns) == 2 and all(columns) else None


def _stem_arrays(sentences: list[str]) -> NamedArrays:
    numbers: dict[str, int] = {}
    occurrences, sizes = array("i"), array("i")
    for sentence in sentences:
        stems = content_stems(sentence)
        occurrences.extend(numbers.setdefault(stem, len(numbers)) for stem in stems)
        sizes.append(len(stems))
    texts = in_order(numbers)
    places = np.empty(len(numbers), np.int64)
    places[[numbers[text] for text in texts]] = np.arange(len(numbers))
    items = np.repeat(np.arange(len(sentences)), np.array(sizes, np.int64))
    stem, item, times = merge_occurrences(
        places[np.array(occurrences, np.int64)], items, np.ones(len(items), np.int64)
    )
    lengths = np.array(sizes, np.int64)
    rarity = idf(len(sentences), np.bincount(stem, minlength=len(texts)))
    average = max(float(lengths.mean()), 1.0)
    # What each stem adds to the score of each sentence that holds it does not depend on a query.
    weights = term_weight(times, lengths[item], average, WEIGHTS, idf=rarity[stem])
    return posting_arrays(texts, stem, item, weights.astype(np.float32))


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
