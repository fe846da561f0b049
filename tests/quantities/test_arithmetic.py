from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.quantities.arithmetic import HUNDRED, Calculation, asked_unit, calculate
from lacuna.quantities.find_quantities import (
    PartialDate,
    Quantity,
    QuantityKind,
    completed_years,
    find_quantities,
    months_between,
)


def of(text: str, *signs: int, question: str = "How many?") -> Calculation:
    return calculate(list(zip(signs, find_quantities(text), strict=True)), question)


def test_numbers() -> None:
    assert of("0.1 and 0.2", 1, 1) == Calculation(0.3, "0.3", "0.1 + 0.2")
    assert of("24-17", 1, -1) == Calculation(7, "7", "24 − 17")
    assert of("24-17", -1, 1) == Calculation(-7, "-7", "17 − 24")
    assert of("$3.5 million", 1) == Calculation(3_500_000, "3500000", "3500000")
    assert of("from 3 to -5", 1, -1).expression == "3 − (-5)"


def test_hundred() -> None:
    (share,) = find_quantities("37.5%")
    calculation = calculate([(1, HUNDRED), (-1, share)], "How many percent were not?")
    assert calculation == Calculation(62.5, "62.5", "100 − 37.5")


def test_years_are_subtracted_as_years() -> None:
    """Annotators do not ask whether the birthday had come."""
    for signs in ((1, -1), (-1, 1)):
        age = of("3 May 1950, 12 March 1987", *signs, question="How old was he?")
        assert age == Calculation(37, "37", "12 March 1987 − 3 May 1950", "years")
    assert of("1919, 1931", -1, 1, question="How long?").expression == "1931 − 1919"


@pytest.mark.parametrize(
    ("question", "text", "unit"),
    [
        ("How many days did it take?", "59", "days"),
        ("How many full days did it take?", "59", "days"),
        ("How long, in months, did it take?", "2", "months"),
        ("How many years did it take?", "1", "years"),
        ("How long did it take?", "1", "years"),
    ],
)
def test_the_question_decides_the_unit(question: str, text: str, unit: str) -> None:
    calculation = of("30 December 1986 – 27 February 1987", -1, 1, question=question)
    assert (calculation.text, calculation.unit) == (text, unit)


def test_dates_that_are_too_coarse_give_the_next_unit() -> None:
    question = "How many days did it take?"
    assert of("May 1986, 3 March 1987", -1, 1, question=question).unit == "months"
    assert of("1986, 3 March 1987", -1, 1, question=question).unit == "years"
    assert of("30 February 1986, 3 March 1986", -1, 1, question=question).unit == "months"
    assert of("44 BC, 31 BC", -1, 1, question="How long?") == Calculation(
        13, "13", "31 BC − 44 BC", "years"
    )


def test_counts_that_look_like_years_have_no_unit() -> None:
    calculation = of("1500 horses, 1200 mules", 1, -1, question="How many more horses?")
    assert calculation == Calculation(300, "300", "1500 − 1200")
    assert asked_unit("How much older was she?") == "years"


def test_a_year_and_a_number() -> None:
    assert of("1984, 3 later", 1, 1) == Calculation(1987, "1987", "1984 + 3")


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="not subtracted"):
        of("1984", -1)
    with pytest.raises(ValueError, match="not subtracted"):
        calculate([], "How many?")
    with pytest.raises(ValueError, match="no sum"):
        of("March 1984, May 1985", 1, 1)


values = st.integers(-(10**6), 10**6).map(lambda cents: cents / 100)
quantities = values.map(lambda value: Quantity(0, 1, value))


@given(st.lists(st.tuples(st.sampled_from([1, -1]), quantities), max_size=4), quantities)
def test_text_and_value_agree(terms: list[tuple[int, Quantity]], first: Quantity) -> None:
    calculation = calculate([*terms, (1, first)], "How many?")
    cents = sum(sign * round(quantity.value * 100) for sign, quantity in [*terms, (1, first)])
    assert calculation.value == cents / 100
    assert float(calculation.text) == calculation.value
    assert not calculation.text.endswith(".0")
    assert calculation.text != "-0"


@given(st.dates(), st.dates(), st.sampled_from(["days", "months", "years"]))
def test_time_between_dates_is_never_negative(one: object, other: object, unit: str) -> None:
    found = find_quantities(f"{one} {other}")
    if [quantity.kind for quantity in found] == [QuantityKind.DATE] * 2:
        terms = [(1, found[0]), (-1, found[1])]
        calculation = calculate(terms, f"How many {unit} were between?")
        assert calculation.value >= 0
        assert calculation.unit == unit


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("from 44 BC to AD 14", 57),
        ("from 1 BC to AD 1", 1),
        ("from 100 BC to 44 BC", 56),
        ("from 15 March 44 BC to 19 August 14 AD", 57),
        ("from AD 14 to 44 BC", 57),
    ],
)
def test_there_is_no_year_0(text: str, years: int) -> None:
    first, second = find_quantities(text)
    found = calculate([(1, second), (-1, first)], "How many years?")
    assert (found.value, found.unit) == (years, "years")


def test_months_and_ages_know_of_no_year_0() -> None:
    before, after = PartialDate(-1, 12, 31), PartialDate(1, 1, 1)
    assert months_between(before, after) == 1
    assert completed_years(before, after) == 0
    assert completed_years(PartialDate(-1, 1, 1), PartialDate(1, 1, 1)) == 1
