from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.quantities.find_quantities import PartialDate, QuantityKind, find_quantities

NUMBER, MONEY, PERCENT, ORDINAL, DATE = QuantityKind


def found(text: str) -> list[tuple[str, float, QuantityKind]]:
    return [(text[q.start : q.end], q.value, q.kind) for q in find_quantities(text)]


@pytest.mark.parametrize(
    ("text", "written", "value", "kind"),
    [
        ("some twenty-one men", "twenty-one", 21, NUMBER),
        ("Twenty-One", "Twenty-One", 21, NUMBER),
        ("one hundred and twenty-one", "one hundred and twenty-one", 121, NUMBER),
        ("two hundred million", "two hundred million", 200_000_000, NUMBER),
        ("two thousand and three", "two thousand and three", 2003, NUMBER),
        ("a dozen eggs", "a dozen", 12, NUMBER),
        ("half a dozen eggs", "half a dozen", 6, NUMBER),
        ("half a million", "half a million", 500_000, NUMBER),
        ("two and a half million", "two and a half million", 2_500_000, NUMBER),
        ("two-thirds of them", "two-thirds", 2 / 3, NUMBER),
        ("1,204 people", "1,204", 1204, NUMBER),
        ("about 1.5 of", "1.5", 1.5, NUMBER),
        ("hit .300 then", ".300", 0.3, NUMBER),
        ("3½ miles", "3½", 3.5, NUMBER),
        ("a 3-yard run", "3", 3, NUMBER),
        ("a 30-second pause", "30", 30, NUMBER),
        ("ran 5km", "5", 5, NUMBER),
        ("ran 5m", "5", 5, NUMBER),
        ("a height of 1500 metres", "1500", 1500, NUMBER),
        ("on 12 March", "12", 12, NUMBER),
        ("3.5 billion years", "3.5 billion", 3_500_000_000, NUMBER),
        ("fell to -5 °C", "-5", -5, NUMBER),
        ("fell to −5 °C", "−5", -5, NUMBER),
        ("$3.5 million", "$3.5 million", 3_500_000, MONEY),
        ("US$20", "US$20", 20, MONEY),
        ("£5bn", "£5bn", 5_000_000_000, MONEY),
        ("forty dollars", "forty dollars", 40, MONEY),
        ("37% of", "37%", 37, PERCENT),
        ("37 percent of", "37 percent", 37, PERCENT),
        ("thirty-seven per cent", "thirty-seven per cent", 37, PERCENT),
        ("the first man", "first", 1, ORDINAL),
        ("the 3rd man", "3rd", 3, ORDINAL),
        ("the 21st man", "21st", 21, ORDINAL),
        ("the twenty-first man", "twenty-first", 21, ORDINAL),
        ("in 1987.", "1987", 1987, DATE),
        ("the mid-1920s", "1920s", 1920, DATE),
        ("the 1920's", "1920's", 1920, DATE),
        ("1987's best", "1987", 1987, DATE),
        ("the early 1990s", "1990s", 1990, DATE),
        ("in 44 BC", "44 BC", -44, DATE),
        ("in 480 B.C. they", "480 B.C.", -480, DATE),
        ("in A.D. 70", "A.D. 70", 70, DATE),
    ],
)
def test_one_quantity(text: str, written: str, value: float, kind: QuantityKind) -> None:
    assert found(text) == [(written, value, kind)]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("12 March 1987", PartialDate(1987, 3, 12)),
        ("12th of March, 1987", PartialDate(1987, 3, 12)),
        ("March 12, 1987", PartialDate(1987, 3, 12)),
        ("Sept. 3rd, 1987", PartialDate(1987, 9, 3)),
        ("1987-03-12", PartialDate(1987, 3, 12)),
        ("March 1987", PartialDate(1987, 3)),
        ("1987", PartialDate(1987)),
        ("15 March 44 BC", PartialDate(-44, 3, 15)),
    ],
)
def test_dates_keep_what_is_known(text: str, date: PartialDate) -> None:
    (quantity,) = find_quantities(text)
    assert quantity.date == date
    assert (quantity.start, quantity.end) == (0, len(text))
    assert quantity.value == date.year


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1984–85", [1984, 1985]),
        ("1984-1987", [1984, 1987]),
        ("1904–5", [1904, 1905]),
        ("1999–00", [1999, 2000]),
        ("1984-17", [1984, 17]),
        ("1920s–30s", [1920, 1930]),
        ("100–44 BC", [-100, -44]),
        ("won 24-17", [24, 17]),
        ("won 24 -17", [24, 17]),
        ("one hundred and two hundred", [100, 200]),
        ("nineteen eighty-four", [19, 84]),
        ("one or two", [1, 2]),
        ("May 10, 1,204 people", [10, 1204]),
        ("1,20", [1, 20]),
        ("a half of the first half", [1]),
        ("someone, a B52 and mp3", []),
        ("hundreds of them may march", []),
        ("1" * 30, []),
    ],
)
def test_values(text: str, values: list[float]) -> None:
    assert [quantity.value for quantity in find_quantities(text)] == values


def test_years_of_a_range_are_dates() -> None:
    assert [quantity.kind for quantity in find_quantities("1984–85")] == [DATE, DATE]
    assert [quantity.kind for quantity in find_quantities("24-17")] == [NUMBER, NUMBER]


def test_days_of_a_range_share_month_and_year() -> None:
    first, last = find_quantities("talks, 5–9 March 1918")
    assert (first.date, last.date) == (PartialDate(1918, 3, 5), PartialDate(1918, 3, 9))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1," * 50_000, 50_000),
        ("twenty " * 20_000, 20_000),
        ("one and " * 20_000, 20_000),
        ("-" * 100_000, 0),
        ("1" * 100_000, 0),
        ("1" + ",111" * 25_000, 0),
        ("half a " * 20_000, 0),
        ("March " * 20_000, 0),
        ("12 of " * 20_000, 20_000),
    ],
)
def test_hostile_text_is_read_once(text: str, count: int) -> None:
    """Would not come back in a lifetime if the pattern tried again from every place."""
    assert len(find_quantities(text)) == count


PIECES = (
    "1 12 85 1984 1,204 .5 ½ $ % - – − / , . : st s BC AD A.D. March May of and a half twenty one "
    "third first hundred million dozen percent dollars km \u00a0"
)
pieces = st.lists(st.sampled_from(PIECES.split(" ")))


@given(st.text() | pieces.map("".join) | pieces.map(" ".join))
def test_places_lie_in_the_text_in_order(text: str) -> None:
    reached = 0
    for quantity in find_quantities(text):
        assert reached <= quantity.start < quantity.end <= len(text)
        assert (quantity.kind is DATE) == (quantity.date is not None)
        assert quantity.date is None or quantity.value == quantity.date.year
        reached = quantity.end


@given(st.integers(0, 10**12))
def test_any_whole_number_is_read_as_written(number: int) -> None:
    for text in (str(number), f"{number:,}"):
        assert [quantity.value for quantity in find_quantities(f"so {text}, or")] == [number]
