"""The likeliest answers read again with their passages, and what that says of each."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from lacuna.corpus.passages import headings_above
from lacuna.models.calibration import AnswerScorer
from lacuna.models.reader.reader import SecondLook
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.state import Components, QuestionState, Reading, SecondReader
from lacuna.retrieve.windows import around, headed
from lacuna.types import Answer, Document, Evidence

RIGHT, NOT_HERE, LOOKED = "second_right", "second_not_here", "looked_twice"
"""Features of an answer; those of one that was not read again are 0."""
MOST = 12.0
"""Beyond these log-odds nothing becomes surer."""


def asks_for_it(scorer: AnswerScorer | None) -> bool:
    """Whether a weight of a scorer counts what a second look says."""
    return scorer is not None and any(scorer.weights.get(name) for name in (RIGHT, NOT_HERE))


def second_reader(reader: object, config: PipelineConfig) -> SecondReader | None:
    """The reader itself, if it judges answers and is to."""
    if not isinstance(reader, SecondReader) or not reader.looks_twice:
        return None
    return reader if config.second_looks else None


def second_features(
    components: Components,
    state: QuestionState,
    answers: Sequence[tuple[Answer, Reading]],
    chances: Sequence[float],
) -> list[dict[str, float]]:
    """What a second look at the likeliest answers says; none is read again twice."""
    passages = [_passage(components, state, *each) for each in answers]
    keys = [None if passage is None else _key(*passage) for passage in passages]
    wanted: dict[Hashable, tuple[Answer, Document]] = {}
    for number in sorted(range(len(answers)), key=lambda each: -chances[each]):
        passage = passages[number]
        if passage is not None and len(wanted) < components.config.second_looks:
            wanted.setdefault(keys[number], passage)
    new = {key: passage for key, passage in wanted.items() if key not in state.looked}
    if new:
        assert components.second is not None
        (looks,) = components.second.look_again([(state.query.question, list(new.values()))])
        state.looked.update(zip(new, looks, strict=True))
    return [_features(state.looked.get(key)) for key in keys]


def _key(answer: Answer, passage: Document) -> Hashable:
    return answer.text, answer.expression, answer.found_at, passage.title, passage.text


def _features(look: SecondLook | None) -> dict[str, float]:
    if look is None:
        return {RIGHT: 0.0, NOT_HERE: 0.0, LOOKED: 0.0}
    return {RIGHT: _log_odds(look.right), NOT_HERE: _log_odds(look.not_here), LOOKED: 1.0}


def _log_odds(chance: float) -> float:
    least = math.exp(-MOST)
    return math.log(max(chance, least) / max(1 - chance, least))


def _passage(
    components: Components, state: QuestionState, answer: Answer, reading: Reading
) -> tuple[Answer, Document] | None:
    """The answer with what stands around it, its places those in there."""
    places = list(answer.found_at or _deciding(reading))
    if not places:
        return None
    first = places[0]
    document = reading.documents[first.document]
    size = components.config.passage_characters
    start, end = around(document, first.start, first.end, size)
    title = headed(document.title, headings_above(document, start))
    inside = tuple(
        Evidence(title, at.start - start, at.end - start)
        for at in places
        if at.document == first.document and start <= at.start and at.end <= end
    )
    return replace(answer, found_at=inside), Document(title, document.text[start:end])


def _deciding(reading: Reading) -> Iterator[Evidence]:
    """The sentence that supports an answer most which stands nowhere itself, as yes and no."""
    best = max(reading.scored.sentences, key=lambda pair: pair[1], default=None)
    if best is not None:
        title, sentence = reading.sentence(best[0])
        yield Evidence(title, sentence.start, sentence.end)
