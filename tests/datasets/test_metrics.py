"""What must hold for any answer, whatever scores it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring import answers

from lacuna import (
    Answer,
    Gold,
    Prediction,
    Question,
    SupportingFact,
    get_dataset,
)
from lacuna.metrics.metric import normalise


@given(st.data())
@pytest.mark.parametrize("dataset_name", ["hotpotqa", "drop", "iirc", "squad", "quac"])
def test_scores_are_bounded_and_the_gold_itself_is_perfect(
    dataset_name: str, data: st.DataObject
) -> None:
    texts = data.draw(st.lists(answers.filter(normalise), min_size=1, max_size=1))
    predicted = data.draw(answers)
    facts = (SupportingFact("Tarn", 0),)
    question = Question("q", "?", gold=Gold(tuple(map(Answer.span, texts)), supporting_facts=facts))
    metric = get_dataset(dataset_name).metric()
    for value in metric.judge(question, Prediction(Answer.span(predicted), supporting_facts=facts)):
        assert value is None or 0 <= value <= 1
    perfect = metric.judge(question, Prediction(Answer.span(texts[0]), supporting_facts=facts))
    assert {value for value in perfect if value is not None} <= {1.0}
    missing = metric.judge(question, None)
    assert {value for value in missing if value is not None} <= {0.0}
