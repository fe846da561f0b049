"""From the model's scores over one input to the best answer of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lacuna.answer_mode import MAY_ABSTAIN, MAY_QUOTE_THE_QUESTION, AnswerMode
from lacuna.models.reader.heads import TAGS, Columns, HeadKind
from lacuna.models.reader.model_input import ModelInput, TextPlace
from lacuna.models.reader.numbers import derive
from lacuna.models.reader.question_form import asks_yes_or_no, may_be_yes_or_no
from lacuna.types import Answer, DialogActs, Evidence, FollowUp, SupportingFact, YesNo

Scores = NDArray[np.float32]
Positions = NDArray[np.int32]
LONGEST_SPAN = 30
LONGEST_DIALOG_SPAN = 96
"""QuAC's answers are whole clauses and sentences."""
TO_THE_POINT = (AnswerMode.ASK,)
"""Where an answer that is one of many likely ones is less of an answer. Not so in a dialog, whose
answers could begin and end in many places."""
ALLOWED = {
    AnswerMode.ASK: tuple(kind for kind in HeadKind if kind is not HeadKind.NONE),
    AnswerMode.HOP: (HeadKind.SPAN, HeadKind.YES, HeadKind.NO),
    AnswerMode.DIALOG: (HeadKind.SPAN,),
    AnswerMode.EXTRACT: (HeadKind.SPAN,),
    AnswerMode.ABSTAIN: (HeadKind.SPAN,),
    AnswerMode.CALCULATE: (HeadKind.SPAN, HeadKind.SPANS, HeadKind.NUMBER, HeadKind.COUNT),
    AnswerMode.CHOOSE: (),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one input says, if it must say something, and how sure it is that it should.

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
    longest = LONGEST_DIALOG_SPAN if mode is AnswerMode.DIALOG else LONGEST_SPAN
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
