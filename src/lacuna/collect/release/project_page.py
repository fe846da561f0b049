"""The page of a released dataset, as a file: what it is, how to get it, and how to take part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

from lacuna.collect.release.released_data import ReleasedData
from lacuna.collect.release.statistics import Statistics
from lacuna.metrics.score_tables import cell
from lacuna.server.html_tree import Child, el, table, whole_page

STYLES = ("css/base.css", "css/bar.css", "css/sheet.css")
SHEETS = {
    "DATASHEET.md": "how the dataset was made, by whom, for what pay, and what it is for",
    "statistics.md": "its numbers in full, as its paper's tables have them",
    "LICENSE.txt": "what you may do with it",
    "SHA256SUMS": "the sums of all files; check them with sha256sum --check SHA256SUMS",
}
QUESTIONS = "questions"
LOADING = """from load import questions

for question in questions("train"):
    print(question)
    break
"""


@dataclass(frozen=True, slots=True)
class ReleaseNames:
    """What a release is called, and where it belongs."""

    title: str
    dataset: str
    about: str
    """What such a dataset asks, in a few words."""
    licence: str
    board: str


def project_page(
    names: ReleaseNames, data: ReleasedData, folder: Path, statistics: Statistics
) -> str:
    """The page; it needs no script and no server."""
    return whole_page(
        names.title,
        el("h1", names.title),
        el("p", f"A dataset of the kind of {names.dataset}: {names.about}.", class_="lead"),
        el("h2", "Get it"),
        _downloads(data, folder),
        el("p", f"Licence: {names.licence or 'not chosen yet'}."),
        el("h2", "Use it"),
        el("p", "Loading code that needs Python alone is in ", _file("load.py"), ":"),
        el("pre", el("code", LOADING), tabindex="0"),
        *_evaluating(names, data),
        *_taking_part(names, data),
        el("h2", "What is in it"),
        *_numbers(statistics, data),
        el("h2", "More"),
        el("ul", (el("li", _file(name), f": {what}") for name, what in SHEETS.items())),
        css=STYLES,
        icon="icon.svg",
        home="index.html",
    )


def _evaluating(names: ReleaseNames, data: ReleasedData) -> Iterable[Child]:
    for dev in (name for name in data.public if Path(name).stem == "dev"):
        command = f"lacuna evaluate {names.dataset} data/{dev}"
        yield el("p", "Or with Lacuna: ", el("code", command))


def _downloads(data: ReleasedData, folder: Path) -> Element:
    rows: list[list[Child]] = [
        [_file(f"data/{name}", name), _number(count), _size(folder / "data" / name)]
        for name, count in data.public.items()
    ]
    return table(["File", "Questions", "Size"], rows, caption="Files of the dataset")


def _taking_part(names: ReleaseNames, data: ReleasedData) -> Iterable[Child]:
    if not data.kept_back:
        return
    yield el("h2", "Take part")
    said = "The answers of test are hidden. Predictions for it are scored "
    if names.board:
        link = el("a", names.board, href=names.board, rel="noopener noreferrer")
        yield el("p", said, "on the board: ", link)
    else:
        yield el("p", said, "by who made the dataset.")


def _numbers(statistics: Statistics, data: ReleasedData) -> Iterable[Child]:
    """The first table of the paper, with a column for each split; the rest is in its own file.

    Where a split lacks something, such as the levels of a test set, a zero means that it is not
    known.
    """
    rows: dict[str, dict[str, str]] = {QUESTIONS: {}}
    for name, count in data.public.items():
        rows[QUESTIONS][Path(name).stem] = _number(count)
    for split, parts in statistics.items():
        for part in [part for part in parts if part.table.rows][:1]:
            for counted, (name, value, *_) in zip(
                part.table.rows, part.shown_table().rows, strict=True
            ):
                known = rows.setdefault(str(name), {})
                if counted[1] or not part.missing:
                    known.setdefault(split, cell(value))
    lines: list[list[Child]] = [
        [name, *(values.get(split, "–") for split in statistics)]
        for name, values in rows.items()
        if values
    ]
    yield table(["What", *statistics], lines, caption="Numbers of each split")


def _number(count: int | None) -> str:
    return "–" if count is None else f"{count:,}"


def _file(name: str, shown: str = "") -> Element:
    return el("a", shown or name, href=name)


def _size(path: Path) -> str:
    size = path.stat().st_size
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{max(size / 1e3, 0.1):,.1f} kB"
