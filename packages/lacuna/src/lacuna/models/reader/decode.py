"""From the model's scores over one input to the best answer of every kind."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lacuna.answers import MAY_ABSTAIN, MAY_QUOTE_THE_QUESTION, AnswerMode
from lacuna.english import AUXILIARY_PATTERN
from lacuna.models.reader.encode import ModelInput, Segment, TextPlace
from lacuna.quantities.arithmetic import HUNDRED, Term, calculate
from lacuna.quantities.find_quantities import Quantity, QuantityKind, find_quantities
from lacuna.types import Answer, DialogActs, Evidence, FollowUp, SupportingFact, YesNo

COUNTS: Final = 10
SIGNS: Final = (0, 1, -1)
TAGS: Final = ("outside", "begin", "inside")


class HeadKind(IntEnum):
    """A way in which an answer comes about; the order of the kind head's columns."""

    SPAN = 0
    SPANS = 1
    NUMBER = 2
    COUNT = 3
    YES = 4
    NO = 5
    NONE = 6


class AnswerVerdict(IntEnum):
    """How an answer is judged that is read again with its passage; the order of the columns.

    Where the passage does not answer the question, no answer from it is right, and none is WRONG.
    """

    RIGHT = 0
    """It answers the question, and nothing is missing."""
    WRONG = 1
    """The passage answers the question, but not so, or not only so."""
    NOT_HERE = 2
    """The passage does not answer the question."""


class Columns:
    """Names for the columns of both matrices."""

    # one row a token
    START: Final = 0
    END: Final = 1
    SENTENCE: Final = (2, 3)  # at its first token, at its last
    LINK: Final = (4, 5)
    TAG: Final = slice(6, 9)
    SIGN: Final = (slice(9, 12), slice(12, 15))
    PER_TOKEN: Final = 15

    # one row a sequence
    KIND: Final = slice(0, 7)
    COUNT: Final = slice(7, 17)
    RELEVANCE: Final = 17
    CHOICE: Final = 18
    YES_NO_ACT: Final = slice(19, 22)
    FOLLOW_UP_ACT: Final = slice(22, 25)
    WITHOUT_VERDICT: Final = 25
    """The columns of a network that has not learned to look twice."""
    VERDICT: Final = slice(25, 28)
    PER_SEQUENCE: Final = 28


_VERB = rf"\W*{AUXILIARY_PATTERN}(?:n?['’]t)?\b"
_BEGINS = re.compile(_VERB, re.IGNORECASE)
_A_CLAUSE_BEGINS = re.compile(rf"(?:^|[.,;:?!] ){_VERB}", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\bor\b", re.IGNORECASE)
_NO_COMPARATIVE = "number|after|over|under|other|another|either|neither|together|ever|never|her|per"
_COMPARATIVE = rf"(?:more|fewer|less|(?!(?:{_NO_COMPARATIVE})\b)[\w-]+er)"
_DIFFERENCE = re.compile(
    rf"\bhow (?:many|much)(?: [\w-]+){{0,3}}? {_COMPARATIVE}\b"
    r"|\bby how (?:many|much)\b|\bdifference\b",
    re.IGNORECASE,
)


def may_be_yes_or_no(question: str) -> bool:
    """Tell if yes or no can answer it: a sentence or clause of it begins with the verb.

    Of HotpotQA's training questions that are answered by yes or no, 398 of 406 are of this form.
    """
    return bool(_A_CLAUSE_BEGINS.search(question))


def asks_yes_or_no(question: str) -> bool:
    """Tell if only yes or no can answer it.

    Of 404 such questions in HotpotQA's training file, 389 are answered so.

    >>> asks_yes_or_no("Was she born before the ferry sailed?")
    True
    >>> asks_yes_or_no("Must guests sign in?"), asks_yes_or_no("Isn't it open?")
    (True, True)
    >>> asks_yes_or_no("Was she born in Brannet or in Osk?")
    False
    """
    return bool(_BEGINS.match(question)) and not _ALTERNATIVES.search(question)


def asks_for_a_difference(question: str) -> bool:
    """Tell if one amount is to be taken from another, so that no sum answers it.

    Of DROP's training questions of this form, 893 have a difference of two numbers in their passage
    as the answer, and 6 a sum alone.

    >>> asks_for_a_difference("How many metres higher is the oldest tower than the newest?")
    True
    >>> asks_for_a_difference("How many people died on the islands?")
    False
    """
    return bool(_DIFFERENCE.search(question))


Scores = NDArray[np.float32]
TRIED = 5
"""Numbers of each sign that are tried together; beyond these a combination is never the best."""
LENGTH_OF_TIME = re.compile(
    r"\bhow (?:old|long|many (?:[\w-]+ ){0,3}?(?:years?|months?|days?))\b|\bwhat age\b",
    re.IGNORECASE,
)
find_quantities_once = lru_cache(maxsize=512)(find_quantities)
"""The windows of a text share its numbers, and so do the questions of a dialog or a context."""


@dataclass(frozen=True, slots=True)
class PlacedQuantity:
    """A number with its tokens; the implicit hundred stands at the first token of all."""

    quantity: Quantity
    place: TextPlace
    document: int | None


@dataclass(frozen=True, slots=True)
class Derived:
    """A number answer and how sure the signs are of it."""

    answer: Answer
    log_probability: float


def placed_quantities(model_input: ModelInput) -> list[PlacedQuantity]:
    """Every number that an input holds, the implicit hundred first."""
    placed = [PlacedQuantity(HUNDRED, TextPlace(0, 0), None)]
    for segment in model_input.segments:
        near = _around(model_input, segment)
        spans = [(quantity.start, quantity.end) for quantity in near]
        placed += [
            PlacedQuantity(near[index], place, segment.document)
            for index, place in model_input.within(segment, spans)
        ]
    return placed


def _around(model_input: ModelInput, segment: Segment) -> Sequence[Quantity]:
    """The numbers in a segment or on its edge: one window of a long text has few of them."""
    if segment.first == segment.last:
        return ()
    quantities = find_quantities_once(model_input.encoded.documents[segment.document].text)
    tokens = model_input.encoded.tokens[segment.document]
    begin, end = int(tokens.starts[segment.first]), int(tokens.ends[segment.last - 1])
    first = bisect_right(quantities, begin, key=lambda quantity: quantity.end)
    return quantities[first : bisect_left(quantities, end, key=lambda quantity: quantity.start)]


def derive(model_input: ModelInput, per_token: Scores, question: str) -> Derived | None:
    """The best calculation over the numbers of an input, or None if it has none."""
    placed = placed_quantities(model_input)
    if len(placed) == 1:
        return None
    first, last = Columns.SIGN
    places = np.array([quantity.place for quantity in placed])
    logits = per_token[places[:, 0], first] + per_token[places[:, 1], last]
    log_sign = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    zero, plus, minus = (log_sign[:, SIGNS.index(sign)] for sign in (0, 1, -1))
    gain = {1: plus - zero, -1: minus - zero}
    top = {
        sign: np.argsort(-values, kind="stable")[:TRIED].tolist() for sign, values in gain.items()
    }
    tried = sorted(
        ((float(sum(gain[sign][i] for i, sign in terms)), terms) for terms in _combinations(top)),
        key=lambda pair: -pair[0],
    )
    for score, terms in tried:
        try:
            calculation = calculate([(sign, placed[i].quantity) for i, sign in terms], question)
        except ValueError:  # a sum of two dates
            continue
        if not _sensible(
            calculation.value, [(sign, placed[i].quantity) for i, sign in terms], question
        ):
            continue
        places_of = [_evidence(model_input, placed[index]) for index, _ in terms]
        answer = Answer.number(
            calculation.value,
            calculation.text,
            *(place for place in places_of if place is not None),
            unit=calculation.unit,
            expression=calculation.expression if len(terms) > 1 else "",
        )
        return Derived(answer, float(zero.sum()) + score)
    return None


def _sensible(value: float, terms: Sequence[Term], question: str) -> bool:
    """No negative amount, no length of time out of a date to which nothing is compared, and no sum
    where a difference is asked for."""
    subtracts = any(sign < 0 for sign, _ in terms)
    dated = any(quantity.kind is QuantityKind.DATE for _, quantity in terms)
    if value < 0 or (dated and not subtracts and LENGTH_OF_TIME.search(question)):
        return False
    return subtracts or len(terms) == 1 or not asks_for_a_difference(question)


def _combinations(top: dict[int, list[int]]) -> list[tuple[tuple[int, int], ...]]:
    """The possible calculations: x, x − y, x + y, x + y + z; the hundred only as 100 − x (− y)."""
    real_plus, real_minus = ([index for index in top[sign] if index != 0] for sign in (1, -1))
    combined: list[tuple[tuple[int, int], ...]] = [((index, 1),) for index in real_plus]
    for size in (2, 3):
        combined += [tuple((index, 1) for index in some) for some in combinations(real_plus, size)]
    combined += [((a, 1), (b, -1)) for a, b in product(real_plus, real_minus) if a != b]
    combined += [((0, 1), (index, -1)) for index in real_minus]
    combined += [((0, 1), (a, -1), (b, -1)) for a, b in combinations(real_minus, 2)]
    return combined


def _evidence(model_input: ModelInput, placed: PlacedQuantity) -> Evidence | None:
    if placed.document is None:
        return None
    title = model_input.encoded.documents[placed.document].title
    return Evidence(title, placed.quantity.start, placed.quantity.end)


LONGEST_SPAN = 30
LONGER_SPANS = {AnswerMode.DIALOG: 96, AnswerMode.FOUND: 60}
"""QuAC's answers are whole clauses and sentences; reasons and definitions are clauses."""
TO_THE_POINT = (AnswerMode.ASK, AnswerMode.FOUND)
"""Modes in which an answer that is one of many likely ones is less of an answer. Not so in a
dialog, whose answers could begin and end in many places."""
ANY_ANSWER = tuple(kind for kind in HeadKind if kind is not HeadKind.NONE)
ALLOWED = {
    AnswerMode.ASK: ANY_ANSWER,
    AnswerMode.FOUND: ANY_ANSWER,
    AnswerMode.HOP: (HeadKind.SPAN, HeadKind.YES, HeadKind.NO),
    AnswerMode.DIALOG: (HeadKind.SPAN,),
    AnswerMode.EXTRACT: (HeadKind.SPAN,),
    AnswerMode.ABSTAIN: (HeadKind.SPAN,),
    AnswerMode.CALCULATE: (HeadKind.SPAN, HeadKind.SPANS, HeadKind.NUMBER, HeadKind.COUNT),
    AnswerMode.CHOOSE: (),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The best answer of one input, and the certainty that it has one.

    ``kind`` and ``within`` are log-probabilities: of the answer's kind among all kinds that are
    answers, and of the answer among all of its kind. ``margin`` is how much likelier some answer
    (in modes to the point this very answer) is than none at all, as log-odds.
    """

    answer: Answer | None
    kind: float
    within: float
    margin: float
    sentences: tuple[tuple[SupportingFact, float], ...]
    acts: DialogActs | None

    @property
    def total(self) -> float:
        return self.kind + self.within


def decode(
    model_input: ModelInput, per_token: Scores, per_sequence: Scores, text: str, mode: AnswerMode
) -> Outcome:
    """The best answer of an input. ``text`` is the question's."""
    kinds = per_sequence[Columns.KIND]
    answers = {
        kind: scored
        for kind in allowed(mode, text)
        if (scored := _answer(kind, model_input, per_token, per_sequence, text, mode)) is not None
    }
    acts = dialog_acts(per_sequence) if mode is AnswerMode.DIALOG else None
    sentences = tuple(support(model_input, per_token))
    if not answers:
        return Outcome(None, 0.0, 0.0, -np.inf, sentences, acts)
    log_kind = log_softmax(np.array([kinds[kind] for kind in answers], np.float32))
    index = int(log_kind.argmax())
    kind = list(answers)[index]
    answer, within = answers[kind]
    outcome = Outcome(answer, float(log_kind[index]), within, np.inf, sentences, acts)
    if mode not in MAY_ABSTAIN:
        return outcome
    any_answer = np.logaddexp.reduce([kinds[kind] for kind in ALLOWED[mode]])
    margin = float(any_answer - kinds[HeadKind.NONE])
    if mode in TO_THE_POINT:
        margin += outcome.total
    return replace(outcome, margin=margin)


def allowed(mode: AnswerMode, question: str) -> tuple[HeadKind, ...]:
    """The kinds that an answer may be of; the form of a question tells whether it is yes or no."""
    kinds = ALLOWED[mode]
    if HeadKind.YES not in kinds:
        return kinds
    if asks_yes_or_no(question):
        return (HeadKind.YES, HeadKind.NO)
    if may_be_yes_or_no(question):
        return kinds
    return tuple(kind for kind in kinds if kind not in (HeadKind.YES, HeadKind.NO))


def _answer(
    kind: HeadKind,
    model_input: ModelInput,
    per_token: Scores,
    per_sequence: Scores,
    text: str,
    mode: AnswerMode,
) -> tuple[Answer, float] | None:
    match kind:
        case HeadKind.SPAN:
            return best_span(model_input, per_token, text, mode)
        case HeadKind.SPANS:
            return tagged_spans(model_input, per_token)
        case HeadKind.NUMBER:
            derived = derive(model_input, per_token, text)
            return None if derived is None else (derived.answer, derived.log_probability)
        case HeadKind.COUNT:
            counts = log_softmax(per_sequence[Columns.COUNT])
            best = int(counts.argmax())
            return Answer.number(float(best), expression="counted"), float(counts[best])
        case HeadKind.YES:
            return Answer.yes(), 0.0
        case HeadKind.NO:
            return Answer.no(), 0.0
    return None


def log_softmax(logits: Scores) -> Scores:
    """Log-probabilities of some scores."""
    if not len(logits):
        return logits
    return np.asarray(logits - np.logaddexp.reduce(logits), np.float32)


def best_span(
    model_input: ModelInput, per_token: Scores, text: str, mode: AnswerMode
) -> tuple[Answer, float] | None:
    """The likeliest span that lies in one document, or in the question where that is usual."""
    regions = [TextPlace(s.at, s.at + s.last - s.first - 1) for s in model_input.segments]
    if mode in MAY_QUOTE_THE_QUESTION:
        regions.append(model_input.question)
    readable = np.concatenate(
        [np.arange(r.first, r.last + 1) for r in regions] or [np.zeros(0, int)]
    )
    if not len(readable):
        return None
    longest = LONGER_SPANS.get(mode, LONGEST_SPAN)
    start = log_softmax(per_token[readable, Columns.START])
    end = log_softmax(per_token[readable, Columns.END])
    region = np.repeat(np.arange(len(regions)), [r.last + 1 - r.first for r in regions])
    best, at = -np.inf, (0, 0)
    for more in range(min(longest, len(readable))):
        size = len(readable) - more
        together = start[:size] + end[more:]
        together = np.where(region[:size] == region[more:], together, -np.inf)
        index = int(together.argmax())
        if together[index] > best:
            best, at = float(together[index]), (index, index + more)
    first, last = int(readable[at[0]]), int(readable[at[1]])
    return _span_answer(model_input, first, last, text), best


def _span_answer(model_input: ModelInput, first: int, last: int, question: str) -> Answer:
    if (quoted := model_input.quote(first, last)) is not None:
        return Answer.span(*quoted)
    tokens = model_input.encoded.question
    shift = model_input.question.first
    return Answer.span(question[tokens.starts[first - shift] : tokens.ends[last - shift]])


def tagged_spans(model_input: ModelInput, per_token: Scores) -> tuple[Answer, float] | None:
    """All segments that the tags mark; None if they mark nothing."""
    found: dict[str, Evidence] = {}
    score = 0.0
    for segment in model_input.segments:
        rows = per_token[segment.at : segment.at + segment.last - segment.first, Columns.TAG]
        tags = rows - np.logaddexp.reduce(rows, axis=1, keepdims=True)
        score += float(tags.max(axis=1).sum())
        for first, last in _tagged(tags.argmax(axis=1)):
            quoted = model_input.quote(segment.at + first, segment.at + last)
            assert quoted is not None  # a run of tags lies within its segment
            found.setdefault(*quoted)
    if not found:
        return None
    if len(found) == 1:
        return Answer.span(*next(iter(found.items()))), score
    return Answer.spans(tuple(found), *found.values()), score


def _tagged(tags: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Runs of begin and inside, as first and last index; a stray inside begins one too."""
    outside, begin = TAGS.index("outside"), TAGS.index("begin")
    runs: list[tuple[int, int]] = []
    running = False
    for index, tag in enumerate(tags.tolist()):
        if tag == outside:
            running = False
        elif tag == begin or not running:
            runs.append((index, index))
            running = True
        else:
            runs[-1] = (runs[-1][0], index)
    return runs


def support(model_input: ModelInput, per_token: Scores) -> list[tuple[SupportingFact, float]]:
    """Every sentence of the input with its score, read at its first and last token."""
    first_column, last_column = Columns.SENTENCE
    scored = []
    for segment in model_input.segments:
        title = model_input.encoded.documents[segment.document].title
        for number, place in segment.holds(model_input.encoded.sentences[segment.document]):
            score = per_token[place.first, first_column] + per_token[place.last, last_column]
            scored.append((SupportingFact(title, number), float(score)))
    return scored


def dialog_acts(per_sequence: Scores) -> DialogActs:
    """QuAC's two acts."""
    yes_no: Sequence[YesNo] = tuple(YesNo)
    follow_up: Sequence[FollowUp] = tuple(FollowUp)
    return DialogActs(
        yes_no[int(per_sequence[Columns.YES_NO_ACT].argmax())],
        follow_up[int(per_sequence[Columns.FOLLOW_UP_ACT].argmax())],
    )
