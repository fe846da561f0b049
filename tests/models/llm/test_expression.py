from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.models.llm.check_reply import evaluate_expression


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1931 - 1897", 34),
        ("1984-85", 1899),
        ("1,250 + 30 − 5", 1275),
        ("(4 + 6) × 3 ÷ 2", 15),
        ("twelve + 3", 15),
        ("3.5 million - 2 million", 1.5e6),
        ("1 + 1 + 1 = 3", 3),
        ("5000 * 37%", 1850),
        ("100 % - 37 %", 63),
        ("-4 + 6", 2),
        ("7", 7),
    ],
)
def test_arithmetic(expression: str, value: float) -> None:
    evaluation = evaluate_expression(expression)
    assert evaluation is not None
    assert evaluation.value == pytest.approx(value)


@pytest.mark.parametrize(
    ("question", "value"),
    [("How many days did it last?", 73), ("How many months did it last?", 3)],
)
def test_dates_are_subtracted_in_the_unit_asked_for(question: str, value: float) -> None:
    evaluation = evaluate_expression("2 March 1987 - 1986-12-19", question)
    assert evaluation is not None
    assert evaluation.value == value


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "the number of ships",
        "1931 minus 1897",
        "1 / 0",
        "(2)(3)",
        "2 ** 9999",
        "(1 + 2",
        "1 +",
        "__import__('os')",
        "len([1, 2])",
        "9" * 400,
        "1+" * 300 + "1",
    ],
)
def test_what_is_no_arithmetic(expression: str) -> None:
    assert evaluate_expression(expression) is None


@given(st.text(alphabet="0123456789+-*/().,=% aMay", max_size=60))
def test_whatever_a_model_writes_is_survived(expression: str) -> None:
    evaluation = evaluate_expression(expression)
    assert evaluation is None or evaluation.operands
