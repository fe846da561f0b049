"""IIRC's table 7: choosing links and answering, on dev as it is and with others mixed in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lacuna.datasets.describing.description import DescribedPart
from lacuna.files.cache import digest_of
from lacuna.metrics.score_tables import ScoreTable, scaled
from lacuna.reproduce.cached_json import cached_json
from lacuna.reproduce.combined.link_choice import (
    LinkChoiceCounts,
    choose_links,
    count_links,
    open_chooser,
    read_questions,
)
from lacuna.reproduce.data_at_hand import state_of
from lacuna.reproduce.entries.entry import PaperEntry
from lacuna.reproduce.entries.measures import official, over_seeds, seeds_cell
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.recorded import BEFORE, RecordedTable
from lacuna.reproduce.run import SystemRun
from lacuna.reproduce.source import NotHere, Source
from lacuna.reproduce.trained_runs import TrainedRun
from lacuna.reproduce.workbench import NOT_RUN, Workbench
from lacuna.version import __version__

COLUMNS = ("links P", "links R", "links F1", "EM", "F1")
LINK_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class CombinedRow:
    """A row of the paper: what chooses links (a recipe; else the shipped reader), what answers."""

    name: str
    what: str
    links: str
    answers: SystemRun


@dataclass(frozen=True, slots=True)
class CombinedEntry(PaperEntry):
    """Each row on every one of ``files``, by the names that they have in the table.

    ``before`` has how trained networks chose links, by the names of row and file.
    """

    files: tuple[tuple[str, Source], ...] = ()
    rows: tuple[CombinedRow, ...] = ()
    before: RecordedTable = field(default_factory=RecordedTable)

    @property
    def needs(self) -> list[str]:
        files = [source.name for _, source in self.files]
        return [*files, *(f"the run {row.links}" for row in self.rows if row.links)]

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        lines: list[tuple[Any, ...]] = []
        seen: set[str] = set()
        for row in self.rows:
            for name, source in self.files:
                theirs = paper.row(row.name) if row.name not in seen else (None,) * len(COLUMNS)
                lines.append((row.name, *self._ours(bench, row, name, source), *theirs))
                seen.add(row.name)
        columns = (
            *("learned from", "ours is", "dev"),
            *(f"ours, {column}" for column in COLUMNS),
            *(f"paper, {column}" for column in paper.columns),
        )
        table = ScoreTable("Scores, %", columns, tuple(lines))
        note = " ".join(filter(None, (self.remark, "" if bench.data.quick else self.before.note)))
        yield DescribedPart(self.name, table, note=note)

    def _ours(
        self, bench: Workbench, row: CombinedRow, name: str, source: Source
    ) -> tuple[Any, ...]:
        links: tuple[Any, ...] = (None,) * LINK_COLUMNS
        answers: tuple[Any, ...] = (None,) * (len(COLUMNS) - LINK_COLUMNS)
        said = {}
        try:
            links = _link_cells(bench, row.links, source)
        except NotHere as missing:
            known = self.before.rows.get(f"{row.name}, {name}")
            if known and row.links and not bench.data.quick:
                links, said["links"] = known, self.before.which.get(f"{row.name}, {name}", BEFORE)
            else:
                said["links"] = f"not here, {missing}"
        try:
            results = bench.results(replace(row.answers, file=source))
            read = (official("EM", "em"), official("F1", "f1"))
            answers = tuple(over_seeds(results, measure) for measure in read)
        except NotHere as missing:
            said["answers"] = f"not here, {missing}"
        why = "; ".join(f"{part}: {reason}" for part, reason in said.items())
        return (f"{row.what}; {why}" if why else row.what, name, *links, *answers)


def _link_cells(bench: Workbench, recipe: str, source: Source) -> tuple[float | str | None, ...]:
    """Precision, recall and F1 in %, over the seeds that a recipe has."""
    runs: Sequence[TrainedRun | None] = bench.trained(recipe) if recipe else (None,)
    counts = [_counted_once(bench, run, source) for run in runs]
    return tuple(
        seeds_cell(scaled(value, 100) for value in values)
        for values in (
            (each.precision for each in counts),
            (each.recall for each in counts),
            (each.f1 for each in counts),
        )
    )


def _counted_once(bench: Workbench, run: TrainedRun | None, source: Source) -> LinkChoiceCounts:
    return bench.once(("links", run, source), lambda: _counted(bench, run, source))


def _counted(bench: Workbench, run: TrainedRun | None, source: Source) -> LinkChoiceCounts:
    path = bench.data.path(source)
    questions = read_questions(source.dataset, path)
    model = "the shipped reader" if run is None else state_of(run.folder)
    state = digest_of(f"{__version__} {model} {state_of(path)}")
    cached = bench.cache / "links" / f"{state}.json"

    def choose() -> dict[str, list[str]]:
        if bench.only_kept:
            raise NotHere(NOT_RUN)
        return choose_links(open_chooser(run), questions)

    return count_links(questions, cached_json(cached, choose))
