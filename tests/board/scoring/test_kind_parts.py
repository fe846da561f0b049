"""Parts give no single question away, and add up to the whole."""

from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from lacuna.datasets import get_dataset
from lacuna.metrics.metric import QuestionScore
from lacuna.types import AnswerKind
from lacuna_collect.board.scored_file import kind_parts

METRIC = get_dataset("quac").metric()
MEASURES = len(METRIC.measures)
VALUES = st.one_of(st.none(), st.floats(0, 1))
SCORES = st.lists(
    st.builds(
        QuestionScore,
        st.text(max_size=3),
        st.integers(0, 9),
        st.sampled_from(list(AnswerKind)),
        st.just(True),
        st.tuples(*[VALUES] * MEASURES),
    ),
    min_size=1,
    max_size=60,
)


@given(SCORES, st.integers(1, 12))
def test_parts(scores: list[QuestionScore], smallest: int) -> None:
    parts = kind_parts(METRIC, scores, smallest)
    assert sum(part.questions for part in parts) == len(scores)
    assert len(parts) == 1 or min(part.questions for part in parts) >= smallest
    named = [kind for part in parts for kind in part.kinds]
    assert len(named) == len(set(named))
    assert set(named) == {str(score.kind) for score in scores}
    enough = smallest if len(scores) >= smallest else 1
    whole_means = METRIC.means([score.row for score in scores])
    for part in parts:
        assert "DHEQ" not in part.means, "what belongs to dialogs means nothing for a part"
        for name, mean in part.means.items():
            assert mean is None or part.counted[name] >= enough
            assert mean is None or isclose(mean, round(mean, 2), abs_tol=1e-9), "of 100"
    for name in parts[0].means:
        whole = sum(part.counted[name] for part in parts)
        withheld = sum(part.counted[name] for part in parts if part.means[name] is None)
        is_told = any(part.means[name] is not None for part in parts)
        assert not is_told or withheld == 0 or withheld >= enough, "else they follow from the rest"
        if whole and not withheld:
            total = sum(part.counted[name] * (part.means[name] or 0) for part in parts)
            assert isclose(total / whole, whole_means[name] or 0, abs_tol=0.5 * 0.01 + 1e-9)


def test_one_part_that_is_withheld_takes_another_with_it() -> None:
    def some(kind: AnswerKind, number: int, counting: int) -> list[QuestionScore]:
        rows = [(0.3, 0.3, *[None] * (MEASURES - 2))] * counting
        rows += [(0.3, *[None] * (MEASURES - 1))] * (number - counting)
        return [QuestionScore("q", 1, kind, True, row) for row in rows]

    scores = some(AnswerKind.SPAN, 40, 40) + some(AnswerKind.NUMBER, 20, 20)
    scores += some(AnswerKind.NONE, 12, 3)
    parts = {part.kinds: part for part in kind_parts(METRIC, scores, 10)}
    told = {kinds: part.means["f1"] for kinds, part in parts.items()}
    assert told == {("span",): 30.0, ("number",): None, ("none",): None}
    assert {part.means["unfiltered_f1"] for part in parts.values()} == {None}, "9 more than f1"
