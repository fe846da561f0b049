"""READ: the context and the selected windows, together."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.answer_mode import AnswerMode
from lacuna.models.reader.scored_answer import SURE, ScoredAnswer
from lacuna.pipeline.components import Components
from lacuna.pipeline.selection import select_windows
from lacuna.pipeline.state import QuestionState, Reading
from lacuna.pipeline.trace import Candidate


def read(components: Components, states: Sequence[QuestionState]) -> None:
    """Read each question once; an earlier reading stays unless the new one is surer."""
    selections = [state.selection or select_windows(components, state) for state in states]
    questions = [selection.question for selection in selections]
    scored = components.reader.score(questions, mode=components.mode)
    for state, selection, answer in zip(states, selections, scored, strict=True):
        reading = Reading(selection, answer)
        state.readings.append(reading)
        state.selection = None
        before = state.reading
        if before is None or _sureness(answer) > (
            _sureness(before.scored) + components.config.surer_later
        ):
            state.reading = reading
        state.record(_message(state, reading), _candidates(reading, components.mode))


def _sureness(scored: ScoredAnswer) -> float:
    return min(scored.margin, SURE) + scored.total


def _message(state: QuestionState, reading: Reading) -> str:
    count = len(reading.selection.windows)
    parts = [f"{count} window{'s' if count > 1 else ''}"] if count else []
    if state.focus is not None:
        parts.insert(0, "The context")
    return f"{' and '.join(parts) or 'Nothing'} could be read together."


def _candidates(reading: Reading, mode: AnswerMode) -> tuple[Candidate, ...]:
    if reading.scored.prediction.answer is None:
        return ()
    answer = reading.in_documents(mode).answer
    assert answer is not None
    score = min(reading.scored.margin, SURE)
    if not answer.found_at:
        return (Candidate("", score, True, answer.text),)
    place = answer.found_at[0]
    return (Candidate(place.document, score, True, answer.text, place.start, place.end),)
