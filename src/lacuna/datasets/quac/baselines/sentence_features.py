"""What a sentence of a section has to do with a question, in numbers (QuAC, section 5.3).

Matching features compare words with the question, bias features say where a sentence stands and how
long it is, contextual features compare with the previous question and answers and know the turn.
"No answer" is one more candidate, with features of the question alone.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from lacuna.datasets.quac.baselines.section_sentences import sentences_of_section
from lacuna.text import content_stems, words
from lacuna.types import AnswerKind, Question

OPENINGS = ("what", "when", "where", "who", "why", "how", "which", "did", "was", "is", "are", "do")
PARTS = 5
"""Into how many parts the places of a section are told apart."""
LONGEST_DIALOG = 12
FOR_SENTENCES = 11 + 3 * PARTS
FOR_NO_ANSWER = 7 + len(OPENINGS)
WIDTH = FOR_SENTENCES + FOR_NO_ANSWER
Pairs = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """The words of one sentence, as they are compared."""

    stems: frozenset[str]
    pairs: Pairs
    length: int


def candidates(question: Question) -> list[list[float]]:
    """A row for each sentence of the section, and a last one for no answer."""
    assert question.context is not None
    section = section_words(question.context.text)
    weights = rarity(question.context.text)
    asked, asked_pairs = frozenset(content_stems(question.text)), word_pairs(question.text)
    before = question.history[-1] if question.history else None
    asked_before = frozenset(content_stems(before.question)) if before else frozenset()
    answers = [
        turn.answer.texts[0] for turn in question.history if turn.answer and turn.answer.texts
    ]
    heard = [(frozenset(content_stems(text)), word_pairs(text)) for text in answers]
    answered = bool(before and before.answer and before.answer.texts)
    last, last_pairs = heard[-1] if answered else (frozenset[str](), Pairs())
    turn = len(question.history)
    rows = []
    for number, sentence in enumerate(section):
        part = PARTS * number // len(section)
        places = [float(part == each) for each in range(PARTS)]
        rows.append(
            [
                share(asked, sentence.stems),
                weighted_share(asked, sentence.stems, weights),
                share(asked_pairs, sentence.pairs),
                math.log1p(sentence.length),
                number / len(section),
                float(number == 0),
                float(number == 0 and turn == 0),
                share(asked_before, sentence.stems),
                share(last, sentence.stems),
                share(last_pairs, sentence.pairs),
                max((share(pairs, sentence.pairs) for _, pairs in heard), default=0.0),
                *places,
                *(place * turn / LONGEST_DIALOG for place in places),
                *(place * (turn == 0) for place in places),
                *[0.0] * FOR_NO_ANSWER,
            ]
        )
    return [*rows, _no_answer(question, asked, section)]


def _no_answer(
    question: Question, asked: frozenset[str], section: tuple[SentenceWords, ...]
) -> list[float]:
    turn = len(question.history)
    opening = next(iter(words(question.text)), "")
    unanswered = [turn.answer is not None and turn.answer.kind is AnswerKind.NONE
                  for turn in question.history]  # fmt: skip
    best = max((share(asked, sentence.stems) for sentence in section), default=0.0)
    return [
        *[0.0] * FOR_SENTENCES,
        1.0,
        turn / LONGEST_DIALOG,
        float(turn == 0),
        float(bool(unanswered) and unanswered[-1]),
        float(sum(unanswered)),
        best,
        float(not asked),
        *(float(opening == each) for each in OPENINGS),
    ]


@lru_cache(maxsize=16)
def section_words(text: str) -> tuple[SentenceWords, ...]:
    """The words of each sentence of a section."""
    texts = [text[start:end] for start, end in sentences_of_section(text)]
    return tuple(
        SentenceWords(frozenset(content_stems(each)), word_pairs(each), len(words(each)))
        for each in texts
    )


@lru_cache(maxsize=16)
def rarity(text: str) -> dict[str, float]:
    """How much each word of a section tells: the fewer of its sentences have it, the more."""
    section = section_words(text)
    counts = Counter(stem for sentence in section for stem in sentence.stems)
    return {stem: math.log(1 + len(section) / count) for stem, count in counts.items()}


def word_pairs(text: str) -> Pairs:
    """The words of a text that follow each other."""
    every = words(text)
    return frozenset(pairwise(every))


def share(wanted: frozenset[str] | Pairs, there: frozenset[str] | Pairs) -> float:
    """The share of the wanted that is there; 0 where nothing is wanted."""
    return len(wanted & there) / len(wanted) if wanted else 0.0


def weighted_share(
    wanted: frozenset[str], there: frozenset[str], weights: dict[str, float]
) -> float:
    """The same, where rare words count more; words that the section has not count nothing."""
    total = sum(weights.get(stem, 0.0) for stem in wanted)
    return sum(weights[stem] for stem in wanted & there) / total if total else 0.0
