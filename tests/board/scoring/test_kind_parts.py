"""Parts give no single question away, and add up to the whole."""

from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from lacuna.board.scoring.kind_parts import kind_parts
from lacuna.datasets import get_dataset
from lacuna.metrics.metric import QuestionScore
from lacuna.types import AnswerKind

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
    for part in parts:
        assert "DHEQ" not in part.means, "what belongs to dialogs means nothing for a part"
        for name, mean in part.means.items():
            enough = part.counted[name] >= min(smallest, part.questions)
            assert (mean is not None) == enough
    means = METRIC.means([score.row for score in scores])
    for name in parts[0].means:
        if all(part.means[name] is not None for part in parts):
            total = sum(part.counted[name] * (part.means[name] or 0) for part in parts)
            whole = sum(part.counted[name] for part in parts)
            assert isclose(total / whole, means[name] or 0, abs_tol=1e-9)
