"""The colours of the page can be read: WCAG AA, in both themes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import lacuna.web

FOLDER = Path(lacuna.web.__file__).parent / "static/css"
CSS = (FOLDER / "base.css").read_text(encoding="utf-8")
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", CSS)
}
TEXT = [
    *((ink, on) for ink in ("ink", "muted", "accent") for on in ("paper", "surface", "raised")),
    *((ink, on) for ink in ("ink", "accent", "muted") for on in ("tint",)),
    *(("ink", "strong-tint"), ("on-accent", "accent"), ("wrong", "surface"), ("wrong", "paper")),
]
SHADES = re.findall(
    r"^\.shade-\d+ \{ background: var\(--([\w-]+)\); color: var\(--([\w-]+)\); \}$",
    (FOLDER / "heat-map.css").read_text(encoding="utf-8"),
    re.MULTILINE,
)
EDGES = [("edge", "paper"), ("edge", "surface"), ("accent", "paper"), ("accent", "surface")]


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [*((*pair, 4.5) for pair in TEXT), *((*pair, 3.0) for pair in EDGES)],
)
def test_contrast(front: str, back: str, least: float, theme: int) -> None:
    assert contrast(COLOURS[front][theme], COLOURS[back][theme]) >= least


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("shade", "number"), SHADES)
def test_numbers_on_shades(shade: str, number: str, theme: int) -> None:
    assert contrast(COLOURS[number][theme], COLOURS[shade][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_a_likelier_cell_stands_out_more(theme: int) -> None:
    assert [shade for shade, _ in SHADES] == [f"shade-{step}" for step in range(11)]
    strengths = [contrast(COLOURS[shade][theme], COLOURS["surface"][theme]) for shade, _ in SHADES]
    assert strengths == sorted(set(strengths))
