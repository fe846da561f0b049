"""All papers that can be reproduced, by the names that the command line knows them under."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lacuna.errors import no_such
from lacuna.files.writing import replace_text
from lacuna_lab.describe.description import DescribedPart
from lacuna_lab.figures.draw import save_figure
from lacuna_lab.reproduce.entry import (
    NOTHING,
    Paper,
    PaperEntry,
    PublishedPaper,
    ReasonEntry,
    published,
)
from lacuna_lab.reproduce.gapqa import GAPQA
from lacuna_lab.reproduce.hotpotqa import HOTPOTQA
from lacuna_lab.reproduce.iirc import IIRC
from lacuna_lab.reproduce.quac import QUAC
from lacuna_lab.reproduce.workbench import Workbench

PAPERS = {paper.name: paper for paper in (IIRC, HOTPOTQA, GAPQA, QUAC)}


def find_paper(name: str) -> Paper:
    """The paper of that name.

    >>> len(find_paper("iirc").entries) > 7
    True
    """
    if name not in PAPERS:
        raise no_such("paper", name, PAPERS)
    return PAPERS[name]


FIGURES = "figures"


@dataclass(frozen=True, slots=True)
class ReproducedEntry:
    """A table or figure with its parts."""

    entry: PaperEntry
    parts: tuple[DescribedPart, ...]


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A paper, and what was made of it."""

    paper: Paper
    made: tuple[ReproducedEntry, ...]
    quick: bool
    printed: PublishedPaper = field(repr=False)

    def as_json(self) -> dict[str, Any]:
        """Plain values: each table by its name, with its parts."""
        return {
            "paper": self.paper.name,
            "quick": self.quick,
            "tables": {
                each.entry.name: {
                    "title": each.entry.title,
                    "parts": {part.name: part.as_json() for part in each.parts},
                }
                for each in self.made
            },
        }

    def write(self, folder: Path, name: str) -> Path:
        """Write the page ``name.md``, and its figures as SVG beside it."""
        pieces = [f"# {self.printed.title}", f"{self.printed.authors}.", self._about()]
        for each in self.made:
            pieces.append(f"## {each.entry.heading}")
            if not isinstance(each.entry, ReasonEntry):
                pieces.append(f"```sh\n{self._command(each.entry)}\n```")
            for part in each.parts:
                pieces.append(part.to_markdown())
                pieces += self._drawn(part, folder)
        page = folder / f"{name}.md"
        folder.mkdir(parents=True, exist_ok=True)
        with replace_text(page) as out:
            out.write("\n\n".join(pieces) + "\n")
        return page

    def _about(self) -> str:
        made = f"`lacuna reproduce {self.paper.name} --quick`" if self.quick else "the command"
        if self.quick:
            return (
                f"Made from the demo by {made}: it shows how every table comes about, and says "
                "nothing about the paper's data."
            )
        return (
            f"Every table and figure of the paper, ours beside the paper's, or the reason why it "
            f"cannot be had here. Below each stands {made} that made it; DATA is a folder of "
            f"datasets, RUNS one of trained networks.\n\n{self.paper.differs}"
        )

    def _command(self, entry: PaperEntry) -> str:
        data = "--quick" if self.quick else "--data DATA --runs RUNS"
        return f"lacuna reproduce {self.paper.name} {entry.name} {data}"

    def _drawn(self, part: DescribedPart, folder: Path) -> Iterator[str]:
        if part.chart is None:
            return
        name = f"{self.paper.name}-{part.name}".replace("_", "-").replace(".", "-")
        vector, pixels = save_figure(part.chart, folder / FIGURES, name)
        pixels.unlink()  # a page needs one of the two
        yield f"![{part.chart.title}]({FIGURES}/{vector.name})"


def reproduce(
    paper: Paper, bench: Workbench, entries: Iterable[PaperEntry] | None = None
) -> Reproduction:
    """Make some tables and figures of a paper; all, unless they are named."""
    printed = published(paper.name)
    made = tuple(
        ReproducedEntry(entry, tuple(entry.make(bench, printed.tables.get(entry.name, NOTHING))))
        for entry in (paper.entries if entries is None else entries)
    )
    return Reproduction(paper, made, bench.data.quick, printed)
