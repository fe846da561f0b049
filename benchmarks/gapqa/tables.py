"""GapQA's tables 4, 5 and 6 from the results of gapqa-train, beside the paper's.

Ours are on dev, the paper's on test: dev is what is at hand. Runs with settings changed by hand
("epochs=3" in the name) are left out. LACUNA_DATA must be set.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.data import OPENBOOK_DEV, read_questions
from benchmarks.gapqa.systems import RESULTS, VARIANTS
from benchmarks.registry import command
from lacuna.datasets.openbookqa import is_short, right_choice
from lacuna.metrics.statistics import Spread, differs, spread
from lacuna.types import Question

ENCODERS = ("bilstm", "small", "base")
SHORT, FULL = "OBQA-Short", "OBQA-Full"
BASELINE = "fact-only"
MISSING = "–"


class TableRow(NamedTuple):
    """A row: its name, our variant, and the paper's numbers."""

    name: str
    variant: str
    short: str = MISSING
    full: str = MISSING


TABLES: Mapping[str, Sequence[TableRow]] = {
    "Table 4: question-to-choice, the fact alone, and GapQA": (
        TableRow("Q2Choice", "question-to-choice", "47.10 ± 1.5", "49.64 ± 1.3"),
        TableRow("The fact alone (the paper: KER, only f)", BASELINE, "57.93 ± 1.4", "55.80 ± 1.8"),
        TableRow("GapQA", "gapqa", "64.41 ± 1.8", "59.40 ± 1.3"),
    ),
    "Table 5: sources of knowledge": (
        TableRow("f + WordNet", "wordnet", "60.69 ± 1.1"),
        TableRow("f + OMCS", "omcs", "60.90 ± 2.4"),
        TableRow("f + ConceptNet", "triples"),
        TableRow("f + ConceptNet + sentences (the paper: ARC)", "gapqa", "64.41 ± 1.8"),
    ),
    "Table 6: what is left out": (
        TableRow("GapQA", "gapqa", "64.41 ± 1.8"),
        TableRow("No Annotations", "no-annotations", "58.90 ± 1.9"),
        TableRow("Heuristic Span Anns.", "no-relation-labels", "61.38 ± 1.5"),
        TableRow("No Relation Score", BASELINE, "60.48 ± 1.1"),
        TableRow("No Spans (Model)", "no-spans-model", "62.14 ± 2.1"),
        TableRow("No Spans (IR)", "no-spans-ir", "61.79 ± 1.0"),
    ),
}
Runs = dict[tuple[str, str], list[dict[str, list[float]]]]
"""The scores of every choice of every question, for each run of an encoder and a variant."""


class QuestionSets:
    """The right choice of each dev question, of all and of those with short choices."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self.right: dict[str, dict[str, int]] = {SHORT: {}, FULL: {}}
        for question in questions:
            number = right_choice(question)
            if not question.fact or number < 0:  # not among the examples, or without gold
                continue
            for name in (SHORT, FULL) if is_short(question) else (FULL,):
                self.right[name][question.id] = number

    def accuracy(self, subset: str, scores: Mapping[str, list[float]]) -> float:
        """The share of a set's questions whose right choice has the highest score."""
        right = self.right[subset]
        return sum(_best(scores[id_]) == number for id_, number in right.items()) / len(right)


def _best(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=scores.__getitem__)


def read_runs(folder: Path) -> Runs:
    """All runs of known systems as their recipes have them."""
    runs: Runs = defaultdict(list)
    for path in sorted(folder.glob("*.json")):
        system, _, seed = path.stem.rpartition("-")
        encoder, _, variant = system.partition("-")
        if seed.isdigit() and encoder in ENCODERS and variant in VARIANTS:
            result: dict[str, Any] = json.loads(path.read_text("utf-8"))
            runs[encoder, variant].append(result["scores"])
    return runs


class Tables:
    """Markdown, made of runs."""

    def __init__(self, sets: QuestionSets, runs: Runs) -> None:
        self._sizes = {name: len(some) for name, some in sets.right.items()}
        self._spreads = {
            (*system, name): spread(sets.accuracy(name, scores) for scores in some)
            for system, some in runs.items()
            for name in (SHORT, FULL)
        }

    def lines(self) -> Iterator[str]:
        """All tables, and how to read them."""
        sizes = " and ".join(f"{size} of {name}" for name, size in self._sizes.items())
        yield (
            f"Accuracy in percent, mean ± standard deviation over runs with other seeds (their "
            f"number). Ours are on dev ({sizes}), the paper's on test. A star: the 95 % Wilson "
            f"interval of the mean does not overlap that of the fact alone with the same encoder. "
            f"The last column is the VARIANT of `python -m benchmarks gapqa-train WORK "
            f"ENCODER/VARIANT --encoder DIR`."
        )
        for title, rows in TABLES.items():
            columns = [f"{of}, {name}" for of in ("paper", *ENCODERS) for name in (SHORT, FULL)]
            yield f"\n### {title}\n"
            yield _row("System", *columns, "run")
            yield _row("---", *("---:" for _ in columns), "---")
            for row in rows:
                ours = (
                    self._cell(encoder, row.variant, name)
                    for encoder in ENCODERS
                    for name in (SHORT, FULL)
                )
                yield _row(row.name, row.short, row.full, *ours, f"`{row.variant}`")

    def _cell(self, encoder: str, variant: str, name: str) -> str:
        own = self._spreads.get((encoder, variant, name))
        if own is None:
            return MISSING
        baseline = self._spreads.get((encoder, BASELINE, name))
        star = baseline is not None and self._differ(own, baseline, name)
        return f"{own} ({own.runs}){' *' if star else ''}"

    def _differ(self, one: Spread, other: Spread, name: str) -> bool:
        size = self._sizes[name]
        return differs(one.mean * size, size, other.mean * size, size)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str]) -> None:
    """Print the tables."""
    parser = command("gapqa-tables", __doc__)
    parser.add_argument("work", type=Path, help="the folder that gapqa-train worked in")
    work = parser.parse_args(arguments).work
    sets = QuestionSets(read_questions("openbookqa", OPENBOOK_DEV))
    print("\n".join(Tables(sets, read_runs(work / RESULTS)).lines()))
