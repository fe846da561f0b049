"""From the model's scores over one input to the best answer of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lacuna.read.heads import TAGS, Columns, Kind
from lacuna.read.numbers import derive
from lacuna.read.question_form import asks_yes_or_no, may_be_yes_or_no
from lacuna.read.sequence import Input, TextPlace
from lacuna.read.style import MAY_ABSTAIN, MAY_QUOTE_THE_QUESTION, Style
from lacuna.types import Answer, DialogActs, Evidence, FollowUp, SupportingFact, YesNo

Scores = NDArray[np.float32]
Positions = NDArray[np.int32]
LONGEST_SPAN = 30
LONGEST_DIALOG_SPAN = 96
"""QuAC's answers are whole clauses and sentences."""
TO_THE_POINT = (Style.ASK,)
"""Where an answer that is one of many likely ones is less of an answer. Not so in a dialog, whose
answers could begin and end in many places."""
ALLOWED = {
    Style.ASK: tuple(kind for kind in Kind if kind is not Kind.NONE),
    Style.HOP: (Kind.SPAN, Kind.YES, Kind.NO),
    Style.DIALOG: (Kind.SPAN,),
    Style.PASSAGE: (Kind.SPAN,),
    Style.DOUBT: (Kind.SPAN,),
    Style.CALCULATE: (Kind.SPAN, Kind.SPANS, Kind.NUMBER, Kind.COUNT),
    Style.CHOOSE: (),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one input says, if it must say something, and how sure it is that it should.

    ``kind`` and ``within`` are log-probabilities: of the answer's kind among all kinds that are
    answers, and of the answer among all of its kind. ``margin`` is how much likelier some answer
    (in styles to the point this very answer) is than none at all, as log-odds.
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
    read: Input, per_token: Scores, per_sequence: Scores, text: str, style: Style
) -> Outcome:
    """The best answer of an input. ``text`` is the question's."""
    kinds = per_sequence[Columns.KIND]
    answers = {
        kind: made
        for kind in allowed(style, text)
        if (made := _answer(kind, read, per_token, per_sequence, text, style)) is not None
    }
    acts = dialog_acts(per_sequence) if style is Style.DIALOG else None
    sentences = tuple(support(read, per_token))
    if not answers:
        return Outcome(None, 0.0, 0.0, -np.inf, sentences, acts)
    log_kind = log_softmax(np.array([kinds[kind] for kind in answers], np.float32))
    index = int(log_kind.argmax())
    kind = list(answers)[index]
    answer, within = answers[kind]
    outcome = Outcome(answer, float(log_kind[index]), within, np.inf, sentences, acts)
    if style not in MAY_ABSTAIN:
        return outcome
    any_answer = np.logaddexp.reduce([kinds[kind] for kind in ALLOWED[style]])
    margin = float(any_answer - kinds[Kind.NONE])
    if style in TO_THE_POINT:
        margin += outcome.total
    return replace(outcome, margin=margin)


def allowed(style: Style, question: str) -> tuple[Kind, ...]:
    """The kinds that an answer may be of; the form of a question tells whether it is yes or no."""
    kinds = ALLOWED[style]
    if Kind.YES not in kinds:
        return kinds
    if asks_yes_or_no(question):
        return (Kind.YES, Kind.NO)
    if may_be_yes_or_no(question):
        return kinds
    return tuple(kind for kind in kinds if kind not in (Kind.YES, Kind.NO))


def _answer(
    kind: Kind, read: Input, per_token: Scores, per_sequence: Scores, text: str, style: Style
) -> tuple[Answer, float] | None:
    match kind:
        case Kind.SPAN:
            return best_span(read, per_token, text, style)
        case Kind.SPANS:
            return tagged_spans(read, per_token)
        case Kind.NUMBER:
            derived = derive(read, per_token, text)
            return None if derived is None else (derived.answer, derived.log_probability)
        case Kind.COUNT:
            counts = log_softmax(per_sequence[Columns.COUNT])
            best = int(counts.argmax())
            return Answer.number(float(best), expression="counted"), float(counts[best])
        case Kind.YES:
            return Answer.yes(), 0.0
        case Kind.NO:
            return Answer.no(), 0.0
    return None


def log_softmax(logits: Scores) -> Scores:
    """Log-probabilities of some scores."""
    if not len(logits):
        return logits
    return np.asarray(logits - np.logaddexp.reduce(logits), np.float32)


def best_span(
    read: Input, per_token: Scores, text: str, style: Style
) -> tuple[Answer, float] | None:
    """The likeliest span that lies in one document, or in the question where that is usual."""
    regions = [TextPlace(s.at, s.at + s.last - s.first - 1) for s in read.stretches]
    if style in MAY_QUOTE_THE_QUESTION:
        regions.append(read.question)
    readable = np.concatenate(
        [np.arange(r.first, r.last + 1) for r in regions] or [np.zeros(0, int)]
    )
    if not len(readable):
        return None
    longest = LONGEST_DIALOG_SPAN if style is Style.DIALOG else LONGEST_SPAN
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
    return _span_answer(read, first, last, text), best


def _span_answer(read: Input, first: int, last: int, question: str) -> Answer:
    if (quoted := read.quote(first, last)) is not None:
        return Answer.span(*quoted)
    tokens = read.reading.question
    shift = read.question.first
    return Answer.span(question[tokens.starts[first - shift] : tokens.ends[last - shift]])


def tagged_spans(read: Input, per_token: Scores) -> tuple[Answer, float] | None:
    """All stretches that the tags mark; None if they mark nothing."""
    found: dict[str, Evidence] = {}
    score = 0.0
    for stretch in read.stretches:
        rows = per_token[stretch.at : stretch.at + stretch.last - stretch.first, Columns.TAG]
        tags = rows - np.logaddexp.reduce(rows, axis=1, keepdims=True)
        score += float(tags.max(axis=1).sum())
        for first, last in _tagged(tags.argmax(axis=1)):
            quoted = read.quote(stretch.at + first, stretch.at + last)
            assert quoted is not None  # a run of tags lies within its stretch
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


def support(read: Input, per_token: Scores) -> list[tuple[SupportingFact, float]]:
    """Every sentence of the input with its score, read at its first and last token."""
    first_column, last_column = Columns.SENTENCE
    scored = []
    for stretch in read.stretches:
        title = read.reading.documents[stretch.document].title
        for number, place in stretch.holds(read.reading.sentences[stretch.document]):
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
