"""Tables as lines: headings with their cells, spans resolved, and nothing without bound."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.tables import LONGEST_REPEATED, MOST_CELLS, Cell, Row, Run, table_lines
from lacuna.types import MarkupKind


def head(text: str, across: int = 1, down: int = 1) -> Cell:
    return Cell((Run(text),) if text else (), True, across, down)


def cell(text: str, across: int = 1, down: int = 1) -> Cell:
    return Cell((Run(text),) if text else (), False, across, down)


def lines(*rows: Row) -> list[str]:
    return ["".join(run.text for run in runs) for _, runs in table_lines(rows)]


def test_cells_stand_with_their_headings() -> None:
    assert lines([head("Plan"), head("Price")], [cell("Gold"), cell("")]) == [
        "Plan: Gold | Price: –"
    ]


def test_headings_above_each_other_are_joined() -> None:
    rows = [head("", down=2), head("Price", across=2)], [head("Month"), head("Year")]
    assert lines(*rows, [head("Gold"), cell("2"), cell("20")]) == [
        "Gold | Price › Month: 2 | Price › Year: 20"
    ]


def test_a_heading_beside_its_value() -> None:
    assert lines([head("Built"), cell("1931")], [head("Crew:"), cell("4")]) == [
        "Built: 1931",
        "Crew: 4",
    ]


def test_a_heading_over_all_columns_stands_alone() -> None:
    rows = lines(
        [head("Prices", across=2)],
        [head("Plan"), head("Price")],
        [head("Europe", across=2)],
        [cell("Gold"), cell("$20")],
    )
    assert rows == ["Prices", "Europe", "Plan: Gold | Price: $20"]


def test_new_headings_hold_from_there_on() -> None:
    rows = lines(
        [head("A"), head("B")],
        [cell("1"), cell("2")],
        [head("C"), head("D")],
        [cell("3"), cell("4")],
    )
    assert rows == ["A: 1 | B: 2", "C: 3 | D: 4"]


def test_headings_alone_are_all_there_is() -> None:
    assert lines([head("A"), head("B")]) == ["A | B"]


def test_the_heading_of_a_single_column_is_said_once() -> None:
    assert lines([head("Function")], [cell("abs")], [cell("ceil")]) == ["Function", "abs", "ceil"]


def test_long_headings_are_said_once() -> None:
    long = "a heading that goes on " * 5
    assert lines([head(long), head("B")], [cell("1"), cell("2")], [cell("3"), cell("4")]) == [
        f"{long.rstrip()} | B",
        "1 | 2",
        "3 | 4",
    ]


def test_columns_without_anything_are_left_out() -> None:
    assert lines([head(""), head("B")], [cell(""), cell("2")]) == ["B", "2"]
    assert lines([head(""), head("B"), head("C")], [cell(""), cell("2"), cell("")]) == [
        "B: 2 | C: –"
    ]


def test_a_cell_over_several_rows_is_said_in_each() -> None:
    rows = lines([head("Plan"), head("Seat")], [cell("Gold", down=9), cell("A")], [cell("B")])
    assert rows == ["Plan: Gold | Seat: A", "Plan: Gold | Seat: B"]


def test_what_is_said_once_for_several_rows_is_carried_down() -> None:
    heads = [head("Year"), head("Boat"), head("Crew")]
    rows = [("1876", "Gull", "4"), ("", "Tern", "3"), ("1880", "Auk", "2"), ("", "Gull", "5")]
    assert lines(heads, *([cell(text) for text in row] for row in rows)) == [
        "Year: 1876 | Boat: Gull | Crew: 4",
        "Year: 1876 | Boat: Tern | Crew: 3",
        "Year: 1880 | Boat: Auk | Crew: 2",
        "Year: 1880 | Boat: Gull | Crew: 5",
    ]


def test_signs_alone_are_words() -> None:
    rows = [head("Boat"), head("Oars")], [cell("Gull"), cell("✅")], [cell("✔ Auk"), cell("❌")]
    assert lines(*rows) == ["Boat: Gull | Oars: yes", "Boat: ✔ Auk | Oars: no"]


def test_a_long_cell_over_several_rows_is_said_whole_once() -> None:
    first, second = lines([cell("x" * 5000, down=60_000), cell("A")], [cell("B")])
    assert len(first) > 5000
    assert len(second) < LONGEST_REPEATED + 20


def test_nothing_is_lost_of_a_table_with_too_many_places() -> None:
    rows = [[cell("a", across=1000), cell("b", across=1000)] for _ in range(MOST_CELLS // 1000)]
    assert lines(*rows) == ["a | b"] * len(rows)


def test_links_keep_their_targets() -> None:
    table = [[head("Port")], [Cell((Run("in "), Run("Port ", "port.html")))]]
    runs = [run for _, line in table_lines(table) for run in line if run.target]
    assert runs == [Run("Port", "port.html", part=MarkupKind.CELL)]


CELLS = st.builds(
    Cell,
    st.lists(st.builds(Run, st.text(max_size=5)), max_size=3).map(tuple),
    st.booleans(),
    st.integers(0, 5),
    st.integers(0, 5),
)


@given(st.lists(st.lists(CELLS, max_size=4), max_size=6))
def test_every_word_of_any_table_is_said(rows: list[list[Cell]]) -> None:
    said = " ".join(lines(*rows)).split()
    for written in (cell.text for row in rows for cell in row):
        assert set(written.split()) <= {word for piece in said for word in (piece, piece[:-1])}
    numbers = [number for number, _ in table_lines(rows)]
    assert numbers == sorted(numbers)


def test_a_heading_that_is_a_link_is_one_in_the_first_row() -> None:
    rows = [[Cell((Run("Port", "p.html"),), heading=True), head("B")]]
    rows += [[cell("1"), cell("2")], [cell("3"), cell("4")]]
    linked = [run for _, line in table_lines(rows) for run in line if run.target]
    assert linked == [Run("Port", "p.html", part=MarkupKind.LABEL)]


def test_what_stands_over_many_rows_is_said_in_each_though_it_is_written_once() -> None:
    assert lines(
        [head("Year"), head("Boat"), head("Place")],
        [cell("1931"), cell("Tern"), cell("1")],
        [cell(""), cell("Gull"), cell("2")],
        [cell("1932"), cell("Tern"), cell("1")],
        [cell(""), cell("Auk"), cell("2")],
    ) == [
        "Year: 1931 | Boat: Tern | Place: 1",
        "Year: 1931 | Boat: Gull | Place: 2",
        "Year: 1932 | Boat: Tern | Place: 1",
        "Year: 1932 | Boat: Auk | Place: 2",
    ]


def test_a_single_row_without_a_first_cell_does_not_go_on_with_the_one_above() -> None:
    rows = [[cell(name), cell("1"), cell("2")] for name in ("Tern", "Gull", "Auk")]
    total = [cell(""), cell("3"), cell("6")]
    assert lines([head("Boat"), head("Won"), head("Lost")], *rows, total)[-1] == (
        "Boat: – | Won: 3 | Lost: 6"
    )


def test_a_row_with_nothing_behind_its_first_cell_is_a_heading_of_those_below() -> None:
    assert lines(
        [head("Boat"), head("Won"), head("Lost")],
        [cell("Sloops"), cell(""), cell("")],
        [cell("Tern"), cell("1"), cell("2")],
    ) == ["Sloops", "Boat: Tern | Won: 1 | Lost: 2"]


def test_empty_cells_at_the_end_of_a_row_without_headings_are_not_said() -> None:
    assert lines([cell("A"), cell("")], [cell("Auk"), cell("A bird")], [cell(""), cell("x")]) == [
        "A",
        "Auk | A bird",
        "– | x",
    ]


def test_a_column_that_only_headings_of_rows_reach_over_makes_no_room() -> None:
    assert lines([cell("Options", 2)], [cell(""), cell("-v")], [cell(""), cell("-q")]) == [
        "Options",
        "-v",
        "-q",
    ]
    assert lines([cell("All", 2)], [cell("Both", 2)]) == ["All", "Both"]
    assert lines([cell("All", 2)], [cell(""), cell("")]) == ["All"]
    assert lines([cell("All", 2)], [cell(""), cell(""), cell("far")]) == ["All", "– | far"]
