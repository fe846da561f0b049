"""The simple baselines of HotpotQA's and QuAC's papers, without a network."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from lacuna.corpus.page_builder import sentence_spans
from lacuna.datasets.base import AnswersQuestion, Baseline, always
from lacuna.datasets.quac_metric import (
    ABSTENTION,
    CHUNKS,
    chunk_at,
    chunk_span,
    given_answer,
    is_unanswerable,
    place_of,
    section_length,
    touched_chunks,
)
from lacuna.errors import LacunaError
from lacuna.metrics.metric import normalise, overlap
from lacuna.text import STOP_WORDS, content_stems, words
from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    Prediction,
    Question,
    Role,
    Span,
    SupportingFact,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Weights = NDArray[np.float64]


FACTS = 2
"""Supporting facts that are named: most questions have one in each of two paragraphs."""
YES_NO = re.compile(r"(?:are|is|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.I)
EITHER = re.compile(r",\s*(?P<one>[^,?]+?)\s+or\s+(?P<other>[^?]+?)\s*\?*$")
WHEN = re.compile(r"\b(?:when|(?:what|which|in what|in which) (?:year|date))\b", re.I)
HOW_MANY = re.compile(r"\bhow (?:many|much|old|long|far|tall|high|large|big)\b", re.I)
YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
NUMBER = re.compile(r"\b[0-9][0-9,.]*\b")
NAME = re.compile(r"\b[A-Z][\w'’.-]*(?: (?:(?:of|the|and|de|von) )?[A-Z][\w'’.-]*)*")


class _Sentence(NamedTuple):
    document: Document
    number: int

    @property
    def text(self) -> str:
        return self.document.sentence(self.number)

    @property
    def fact(self) -> SupportingFact:
        return SupportingFact(self.document.title, self.number)

    def part(self, found: re.Match[str] | None = None) -> Answer:
        """The part that was found as the answer; without that, all of it."""
        first = self.document.sentences[self.number].start
        start, end = found.span() if found else (0, len(self.text))
        place = Evidence(self.document.title, first + start, first + end, Role.ANSWER)
        return Answer.span(self.text[start:end].strip(), place)


def nearest_sentence(training: Iterable[Question]) -> AnswersQuestion:
    """The whole sentence that is nearest to the question."""

    def answer(question: Question) -> Prediction:
        ranked = ranked_sentences(question)
        return _prediction(ranked[0].part() if ranked else Answer.none(), ranked)

    return answer


def expected_kind(training: Iterable[Question]) -> AnswersQuestion:
    """Yes, one of two, a year, a number or a name, as the question's words ask for."""

    def answer(question: Question) -> Prediction:
        ranked = ranked_sentences(question)
        return _prediction(_by_kind(question.text, ranked), ranked)

    return answer


def ranked_sentences(question: Question) -> list[_Sentence]:
    """The sentences of all paragraphs, the nearest to the question first."""
    sentences = [
        _Sentence(document, number)
        for document in question.documents
        for number in range(len(document.sentences))
    ]
    bags = [Counter(_content(sentence.text)) for sentence in sentences]
    counts = Counter(word for bag in bags for word in bag)
    weight = {word: math.log(1 + len(bags) / count) for word, count in counts.items()}
    asked = set(_content(question.text)) & weight.keys()

    def nearness(bag: Counter[str]) -> float:
        length = math.sqrt(sum((count * weight[word]) ** 2 for word, count in bag.items()))
        shared = sum(bag[word] * weight[word] ** 2 for word in asked)
        return shared / length if length else 0.0

    nearest = {number: nearness(bag) for number, bag in enumerate(bags)}
    return [sentences[number] for number in sorted(nearest, key=lambda at: -nearest[at])]


def _by_kind(asked: str, ranked: list[_Sentence]) -> Answer:
    if either := EITHER.search(asked):
        return Answer.span(either["one"])
    if YES_NO.match(asked):
        return Answer.yes()  # about as often right as no
    wanted = YEAR if WHEN.search(asked) else NUMBER if HOW_MANY.search(asked) else NAME
    known = asked.casefold()
    for sentence in ranked:
        for found in wanted.finditer(sentence.text):
            if found[0].casefold() not in known and found[0].casefold() not in STOP_WORDS:
                return sentence.part(found)
    return ranked[0].part() if ranked else Answer.none()


def _prediction(answer: Answer, ranked: list[_Sentence]) -> Prediction:
    facts = tuple(dict.fromkeys(sentence.fact for sentence in ranked[:FACTS]))
    return Prediction(answer, answer.found_at, supporting_facts=facts)


def _content(text: str) -> list[str]:
    return [word for word in words(text) if word not in STOP_WORDS]


HOTPOTQA_BASELINES = (
    Baseline("tfidf-sentence", "the sentence that is nearest to the question", nearest_sentence),
    Baseline("answer-type", "the first text of the kind that is asked for", expected_kind),
)


def random_sentence(training: Iterable[Question]) -> AnswersQuestion:
    """Any sentence or no answer, each as likely; the same for a question every time."""

    def answer(question: Question) -> Prediction:
        section = _section(question)
        choices = [*sentences_of_section(section.text), None]
        # By the id, so that neither the order nor other questions of the file matter.
        span = Random(question.id).choice(choices)
        return Prediction(Answer.none()) if span is None else span_prediction(section, span)

    return answer


def gold_sentence(training: Iterable[Question]) -> AnswersQuestion:
    """The sentence with the best F1 against any reference, or none where that is right."""

    def answer(question: Question) -> Prediction:
        assert question.gold is not None
        section = _section(question)
        spans = sentences_of_section(section.text)
        if is_unanswerable(question) or not spans:
            return Prediction(Answer.none())
        references = [
            normalise(reference.texts[0])
            for reference in question.gold.answers
            if reference.kind is not AnswerKind.NONE
        ]

        def nearness(span: Span) -> float:
            text = normalise(section.text[span.start : span.end])
            return max(overlap(text, reference).f1 for reference in references)

        return span_prediction(section, max(spans, key=nearness))

    return answer


@lru_cache(maxsize=16)
def sentences_of_section(text: str) -> tuple[Span, ...]:
    """The sentences of a section, without the mark at its end."""
    return sentence_spans(text, [Span(0, section_length(text))])


def span_prediction(section: Document, span: Span) -> Prediction:
    """A stretch of the section as the answer."""
    place = Evidence(section.title, span.start, span.end, Role.ANSWER)
    return Prediction(Answer.span(section.text[span.start : span.end], place), (place,))


def _section(question: Question) -> Document:
    assert question.context is not None  # QuAC's format has a section for each question
    return question.context


# What a sentence of a section has to do with a question, in numbers (QuAC, section 5.3).
#
# Matching features compare words with the question, bias features say where a sentence stands and
# how long it is, contextual features compare with the previous question and answers and know the
# turn. "No answer" is one more candidate, with features of the question alone.


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
    """A weight for each word of a section: the fewer of its sentences have it, the more."""
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


MOST_QUESTIONS = 20_000
"""The first of a training file that are learned from: enough for some fifty weights."""
PENALTY = 1e-4
"""Of the squared weights, so that a feature that is seen once cannot run away."""


def learn_sentence_choice(training: Iterable[Question]) -> AnswersQuestion:
    """Learn which candidate is right, and answer with the likeliest."""
    import numpy as np

    weights = fit_choice(training)

    def answer(question: Question) -> Prediction:
        assert question.context is not None
        best = int(np.argmax(np.array(candidates(question)) @ weights))
        spans = sentences_of_section(question.context.text)
        if best == len(spans):
            return Prediction(Answer.none())
        return span_prediction(question.context, spans[best])

    return answer


def fit_choice(training: Iterable[Question]) -> Weights:
    """The weights under which the right candidates are likeliest, among those of their question."""
    import numpy as np
    from scipy.optimize import minimize

    labelled = ((question, right_candidate(question)) for question in training)
    known = [(q, right) for q, right in islice(labelled, MOST_QUESTIONS) if right is not None]
    if not known:
        raise LacunaError(
            "No training question has an answer that stands in its section, so there is nothing "
            "to learn from. Give a file of quac with answers."
        )
    rows = [np.array(candidates(question), np.float32) for question, _ in known]
    table = np.concatenate(rows)  # candidates of all questions x features
    first = np.cumsum([0, *(len(each) for each in rows[:-1])])
    chosen = first + np.array([right for _, right in known])
    question_of = np.repeat(np.arange(len(rows)), [len(each) for each in rows])

    def loss(weights: Weights) -> tuple[float, Weights]:
        scores = (table @ weights.astype(np.float32)).astype(float)
        scores -= np.maximum.reduceat(scores, first)[question_of]
        exponents = np.exp(scores)
        totals = np.add.reduceat(exponents, first)
        surprise = float(np.mean(np.log(totals) - scores[chosen]))
        shares = exponents / totals[question_of]
        shares[chosen] -= 1.0
        slope = (shares.astype(np.float32) @ table).astype(float) / len(rows)
        return surprise + PENALTY * float(weights @ weights), slope + 2 * PENALTY * weights

    start: Weights = np.zeros(WIDTH)
    fitted: Weights = minimize(loss, start, jac=True, method="L-BFGS-B").x
    return fitted


def right_candidate(question: Question) -> int | None:
    """The number of the sentence that holds the answer's middle, or of no answer after them."""
    answer = given_answer(question)
    if answer is None or question.context is None:
        return None
    spans = sentences_of_section(question.context.text)
    if answer.kind is AnswerKind.NONE:
        return len(spans)
    place = place_of(answer)
    if place is None or not spans:
        return None
    middle = (place.start + place.end) // 2
    return next((at for at, span in enumerate(spans) if middle < span.end), len(spans) - 1)


# Where the next answer stands, by where the previous one did (figure 5b of QuAC's paper).
#
# A section is twelve chunks, and "no answer" is one more place; before the first turn there is a
# place of its own. A previous answer that reaches over several chunks speaks for each of them, the
# next one is where its middle is. The answer is the whole of the likeliest chunk.


NO_ANSWER = CHUNKS
BEGINNING = CHUNKS + 1
Matrix = Sequence[Sequence[float]]


def learn_transitions(training: Iterable[Question]) -> AnswersQuestion:
    """Count the transitions, and answer with the likeliest place."""
    matrix = transition_matrix(training)

    def answer(question: Question) -> Prediction:
        place = next_place(matrix, question)
        section = question.context
        if place == NO_ANSWER or section is None or not section_length(section.text):
            return Prediction(Answer.none())
        return span_prediction(section, _whole_words(section, place))

    return answer


def learn_gold_transitions(training: Iterable[Question]) -> AnswersQuestion:
    """The same, except that questions without an answer are known."""
    answer_by_transition = learn_transitions(training)

    def answer(question: Question) -> Prediction:
        if is_unanswerable(question):
            return Prediction(Answer.none())
        return answer_by_transition(question)

    return answer


def transition_matrix(training: Iterable[Question]) -> Matrix:
    """The share of each next place, by the previous one."""
    counts = [[0.0] * (CHUNKS + 1) for _ in range(CHUNKS + 2)]
    for question in training:
        place = _place_of_answer(question)
        if place is not None:
            for before in previous_places(question):
                counts[before][place] += 1
    return [[count / (sum(row) or 1) for count in row] for row in counts]


def next_place(matrix: Matrix, question: Question) -> int:
    """The likeliest place after the previous answer."""
    rows = [matrix[before] for before in previous_places(question)]
    shares = [sum(column) for column in zip(*rows, strict=True)]
    return max(range(len(shares)), key=shares.__getitem__)


def previous_places(question: Question) -> Sequence[int]:
    """The chunks of the previous answer; an answer without a place counts as none."""
    if not question.history:
        return (BEGINNING,)
    section = section_length(question.context.text) if question.context else 0
    return touched_chunks(question.history[-1].answer, section) or (NO_ANSWER,)


def _place_of_answer(question: Question) -> int | None:
    answer = given_answer(question)
    if answer is None or question.context is None:
        return None
    if answer.kind is AnswerKind.NONE:
        return NO_ANSWER
    place, section = place_of(answer), section_length(question.context.text)
    if place is None or not section:
        return None
    return chunk_at((place.start + place.end) // 2, section)


def _whole_words(section: Document, chunk: int) -> Span:
    """A chunk without the halves of words at its ends; as it is where nothing else is in it."""
    start, end = chunk_span(chunk, section_length(section.text))
    text = section.text
    first, last = start, end
    while 0 < first < last and not text[first - 1].isspace():
        first += 1
    while first < last < len(text) and not text[last].isspace():
        last -= 1
    return Span(first, last) if text[first:last].strip() else Span(start, max(end, start + 1))


QUAC_BASELINES = (
    Baseline("random-sentence", "a sentence of the section, or none, at random", random_sentence),
    Baseline("majority", "none, neither yes nor no, don't follow up", always(ABSTENTION)),
    Baseline(
        "transition-matrix",
        "the chunk that most often follows that of the previous answer",
        learn_transitions,
        learns=True,
    ),
    Baseline(
        "logistic-regression",
        "the likeliest sentence by its words, its place and the dialog",
        learn_sentence_choice,
        learns=True,
    ),
    Baseline(
        "gold-na-transition-matrix",
        "the transition matrix, told which questions have no answer",
        learn_gold_transitions,
        learns=True,
        upper_bound=True,
    ),
    Baseline(
        "gold-sentence",
        "the sentence nearest to the references, or none where that is right",
        gold_sentence,
        upper_bound=True,
    ),
)
