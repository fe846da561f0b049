"""Examples of the demo that stand in for those of the papers."""

from __future__ import annotations

from lacuna_lab.reproduce.examples import first_dialog, least_answered, most_answered


def test_the_less_successful_dialog_is_another_one_with_little_encouragement() -> None:
    first, best, worst = first_dialog(), most_answered(), least_answered()
    assert len({first, best, worst}) == 3
    encouraged = [sum(said.startswith("↪ ") for _, said in dialog) for dialog in (best, worst)]
    unanswered = [sum("no answer" in said for _, said in dialog) for dialog in (best, worst)]
    assert encouraged[0] > encouraged[1]
    assert unanswered[0] < unanswered[1]
