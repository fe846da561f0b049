from __future__ import annotations

import pytest

from lacuna.retrieve.knowledge.build import unfit


@pytest.mark.parametrize(
    "sentence",
    [
        "Metal conducts heat.",
        "metal conducts heat",
        "9 planets were known; one was lost.",
        "The pH of 7.4 (at 25 °C".replace("°", "degrees ") + ") is neutral.",
        "A steel-framed house is strong.",
        "It's Earth’s moon, and 50% of it is lit: see the “dark” side!",
        "A knot in a noble notebook is noted.",
        "x" * 300,
    ],
)
def test_fit(sentence: str) -> None:
    assert unfit(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("x" * 301, "longer than 300 characters"),
        ("Metal is not soft.", "negation"),
        ("Wood doesn't conduct heat.", "negation"),
        ("Wood doesn’t conduct heat.", "negation"),
        ("No metal is soft.", "negation"),
        ("Plants cannot walk.", "negation"),
        ("All planets except Venus turn east.", "negation"),
        ("Fish live without lungs.", "negation"),
        ("* Metal conducts heat.", "other characters"),
        (" Metal conducts heat.", "other characters"),
        ("(Metal) conducts heat.", "other characters"),
        ("E = mc2 is famous.", "other characters"),
        ("Bonds of 1→4 type.", "other characters"),
        ("snake_case is used.", "other characters"),
        ("Metals—like iron—conduct.", "other characters"),
        ("", "other characters"),
        ("It is hot. It melts.", "more than one sentence"),
        ("Is it hot? It melts.", "more than one sentence"),
        ('He said "stop." Then he went.', "more than one sentence"),
        ("Iron - a metal - conducts.", "a hyphen outside a hyphenated word"),
        ("It is -5 degrees.", "a hyphen outside a hyphenated word"),
        ("Pre- and post-war houses.", "a hyphen outside a hyphenated word"),
    ],
)
def test_unfit(sentence: str, reason: str) -> None:
    assert (unfit(sentence) or "").startswith(reason)
