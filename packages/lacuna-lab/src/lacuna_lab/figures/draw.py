"""Draw a chart into a folder, as SVG and as PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any, assert_never
from warnings import catch_warnings, simplefilter

from lacuna.files.writing import replace_bytes
from lacuna_lab.figures.charts import BarChart, Chart, HeatMap, LineChart, Sunburst, TreeMap
from lacuna_lab.figures.shapes import SETTINGS, need_matplotlib

DOTS_PER_INCH = 160


def save_figure(chart: Chart, folder: Path, name: str) -> tuple[Path, Path]:
    """Draw a chart as ``name.svg`` and ``name.png``; the same chart gives the same files."""
    need_matplotlib()
    from matplotlib import rc_context

    vector, pixels = folder / f"{name}.svg", folder / f"{name}.png"
    with rc_context(SETTINGS), catch_warnings():
        simplefilter("ignore", UserWarning)  # that the font lacks a character, once for each
        figure = _figure(chart)
        with replace_bytes(vector) as out:
            figure.savefig(out, format="svg", metadata={"Date": None, "Title": chart.title})
        with replace_bytes(pixels) as out:
            figure.savefig(out, format="png", dpi=DOTS_PER_INCH, metadata={"Title": chart.title})
    return vector, pixels


def _figure(chart: Chart) -> Any:
    from lacuna_lab.figures.shapes import (
        draw_bars,
        draw_heat_map,
        draw_lines,
        draw_sunburst,
        draw_tree_map,
    )

    match chart:
        case BarChart():
            return draw_bars(chart)
        case LineChart():
            return draw_lines(chart)
        case HeatMap():
            return draw_heat_map(chart)
        case TreeMap():
            return draw_tree_map(chart)
        case Sunburst():
            return draw_sunburst(chart)
    assert_never(chart)
