"""Every kind of chart becomes two files, the same ones each time."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from lacuna.errors import LacunaError
from lacuna_lab.figures.charts import (
    BarChart,
    Branch,
    Chart,
    HeatMap,
    LineChart,
    Sunburst,
    TreeMap,
    chart_json,
)
from lacuna_lab.figures.draw import save_figure

WHO = Branch("who", 60.0, (Branch("was", 40.0, (Branch("the", 40.0),)), Branch("", 20.0)))
CHARTS: list[Chart] = [
    BarChart("Bars", "x", "y", ["a", "b"], [1, 2], [2, 1]),
    BarChart("Lying", "x", "y", [f"a long label {n}" for n in range(9)], list(range(9))),
    BarChart("Nothing", "x", "y", ["a"], [0.0]),
    LineChart("Lines", "turn", "%", [1, 2, 3], {"yes/no": [1.0, None, 3.0], "none": [None] * 3}),
    HeatMap("Heat", "x", "y", ["1", "2"], ["1"], [[30.0, None]]),
    HeatMap("Cold", "x", "y", ["1", "2"], ["1"], [[None, None]]),
    TreeMap("Boxes", (WHO, Branch("whose", 40.0))),
    Sunburst("Rings", (WHO, Branch("", 40.0))),
]


def is_png(path: Path) -> bool:
    return path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.title)
def test_a_chart_becomes_two_files(chart: Chart, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    vector, pixels = save_figure(chart, tmp_path / "new", "figure")
    assert vector.name == "figure.svg"
    assert ElementTree.parse(vector).getroot().tag.endswith("svg")
    assert is_png(pixels)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda chart: chart.title)
def test_the_same_chart_gives_the_same_files(chart: Chart, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    once, again = (save_figure(chart, tmp_path / name, "figure") for name in ("a", "b"))
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]


def test_figures_bring_their_own_paper(tmp_path: Path) -> None:
    """On a dark page nothing of them may be dark on dark."""
    pytest.importorskip("matplotlib")
    from matplotlib import image

    _, pixels = save_figure(CHARTS[0], tmp_path, "figure")
    corner = image.imread(str(pixels))[0, 0]
    assert list(corner) == [1, 1, 1, 1]


def test_labels_are_no_formulas(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    chart = BarChart("$\\frac$", "x", "y", ["$a_{$", "漢字", "<b>&"], [1, 2, 3])
    vector, pixels = save_figure(chart, tmp_path, "figure")
    assert is_png(pixels)
    words = "".join(ElementTree.parse(vector).getroot().itertext())
    assert "$a_{$" in words
    assert "<b>&" in words


def test_without_matplotlib_the_command_to_install_it_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(LacunaError, match=r"pip install 'lacuna-qa\[lab\]'"):
        save_figure(CHARTS[0], tmp_path, "figure")


def test_a_chart_is_plain_data() -> None:
    data = chart_json(CHARTS[-1])
    assert data["kind"] == "Sunburst"
    assert data["branches"][0]["inner"][0]["name"] == "was"
