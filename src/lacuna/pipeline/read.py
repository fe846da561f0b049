"""READ: the passage and the chosen windows, together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lacuna.answer_mode import AnswerMode
from lacuna.models.reader.scored_answer import SURE, ScoredAnswer
from lacuna.pipeline.components import Components
from lacuna.pipeline.select_windows import choose
from lacuna.pipeline.state import QuestionState, Read
from lacuna.pipeline.trace import Candidate, Told
from lacuna.types import Answer, Evidence, Prediction, SupportingFact

LATER = 3.0
"""How much surer a later reading must be: who looks long enough finds something, right or not."""


def read(components: Components, states: Sequence[QuestionState]) -> list[Told]:
    """Read each question once; an earlier reading is kept unless the new one is surer."""
    chosen = [choose(components, state) for state in states]
    weighed = components.reader.score([one.question for one in chosen], mode=components.mode)
    told: list[Told] = []
    for state, given, one in zip(states, chosen, weighed, strict=True):
        made = Read(given.texts, one, given.windows)
        if state.read is None or _surety(one) > _surety(state.read.weighed) + LATER:
            state.read = made
        told.append((_said(state, made), _candidates(components, made)))
    return told


def _surety(weighed: ScoredAnswer) -> float:
    return min(weighed.margin, SURE) + weighed.total


def _said(state: QuestionState, made: Read) -> str:
    parts = [f"{len(made.windows)} windows"] if made.windows else []
    if state.focus is not None:
        parts.insert(0, "The passage")
    return f"{' and '.join(parts) or 'Nothing'} could be read together."


def placed(read: Read, mode: AnswerMode) -> Prediction:
    """The reader's best answer, in terms of the documents as they are."""
    prediction = read.weighed.prediction
    answer = prediction.answer or Answer.none()
    facts = None
    if mode is AnswerMode.HOP:
        facts = tuple(original_fact(read, fact) for fact in prediction.supporting_facts or ())
    return replace(
        prediction,
        answer=replace(answer, found_at=_original(read, answer.found_at)),
        evidence=_original(read, prediction.evidence),
        supporting_facts=facts,
    )


def original_fact(read: Read, fact: SupportingFact) -> SupportingFact:
    """A sentence of an excerpt by its number in the document."""
    excerpt = read.texts[fact.title]
    return SupportingFact(excerpt.original.title, excerpt.sentences[fact.sentence])


def _original(read: Read, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(read.texts[one.document].evidence(one) for one in evidence)


def _candidates(components: Components, made: Read) -> tuple[Candidate, ...]:
    answer = placed(made, components.mode).answer
    if answer is None or made.weighed.prediction.answer is None:
        return ()
    place = answer.found_at[0] if answer.found_at else None
    score = min(made.weighed.margin, SURE)
    if place is None:
        return (Candidate("", score, True, answer.text),)
    return (Candidate(place.document, score, True, answer.text, place.start, place.end),)
