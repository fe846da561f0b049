"""No letter moves a number that stands behind it."""

from __future__ import annotations

from length_changing import length_changing

from lacuna.quantities.find_quantities import find_quantities
from lacuna.quantities.measures import bounded_measures, find_measures

AMOUNTS = (
    " and 12 March 1987, two thousand and three men, three-quarters, $3.5 million, 44 BC, 5 km"
)


def test_no_letter_moves_a_number() -> None:
    alone = find_quantities(AMOUNTS)
    measures, bounded = find_measures(AMOUNTS), bounded_measures(AMOUNTS)
    for letters in length_changing():
        before = "".join(letter for letter in letters if not _counts(letter)) + "."
        text = before + AMOUNTS
        shift = len(before)
        found = find_quantities(text)
        assert [(q.start - shift, q.end - shift, q.value) for q in found] == [
            (q.start, q.end, q.value) for q in alone
        ]
        assert [m.start - shift for m in find_measures(text)] == [m.start for m in measures]
        assert [b.end - shift for b in bounded_measures(text)] == [b.end for b in bounded]


def _counts(letter: str) -> bool:
    """Whether it is a number, or a sign of money, by itself."""
    return letter.isnumeric() or letter in "$£€¥"
