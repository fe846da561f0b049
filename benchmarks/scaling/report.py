"""The tables of what was measured, how it grows, and what it would come to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from statistics import mean, median

from benchmarks.scaling.growth import Growth, fit, p95
from benchmarks.scaling.projection import TARGETS, Projection, carried, project
from benchmarks.scaling.unit_costs import UnitCosts

MEASURED = (
    "| documents | passages | parse, s | index, s | memory, MB | documents, MB | index, MB "
    "| open, ms | search, ms | its p95 | question, s | its p95 |"
)
GROWTH = "| cost | at 10⁶ passages | exponent | 95 % interval |\n|---|---:|---:|---:|"
PROJECTED = (
    "| passages | | core hours to build | machines | hours with them | stored | parts "
    "| p95 of a question | bottleneck |"
)
MILLION = 1_000_000


def report(costs: Sequence[UnitCosts]) -> str:
    """All tables; growth needs two sizes."""
    sizes: dict[int, list[UnitCosts]] = defaultdict(list)
    for one in costs:
        sizes[one.passages].append(one)
    lines = [MEASURED, f"|{'---:|' * (MEASURED.count('|') - 1)}"]
    lines += [_measured(sizes[size]) for size in sorted(sizes)]
    if len(sizes) > 1:
        growth = growth_of(sizes)
        lines += ["", GROWTH, *_grown(growth)]
        head = f"|---:|---|{'---:|' * 6}---|"
        lines += ["", PROJECTED, head]
        for name, size in TARGETS.items():
            lines.append(_projected(name, project(size, carried(growth))))
            linear = carried(growth, search_at_least=1.0)
            lines.append(_projected("… if searching grew linearly", project(size, linear)))
    return "\n".join(lines)


def growth_of(sizes: dict[int, list[UnitCosts]]) -> dict[str, Growth]:
    """How each cost grows, by the name that the projection knows it under."""

    def each(cost: Callable[[UnitCosts], Sequence[float]]) -> dict[int, list[float]]:
        return {size: [one for run in runs for one in cost(run)] for size, runs in sizes.items()}

    # Of a question, what searching once costs is told on its own.
    reading = {
        size: [max(1e-6, cost - mean(run.search)) for run in runs for cost in run.read]
        for size, runs in sizes.items()
    }
    return {
        "parse": fit(each(lambda run: [run.parse])),
        "index": fit(each(lambda run: [run.index])),
        "document_bytes": fit(each(lambda run: [run.document_bytes])),
        "index_bytes": fit(each(lambda run: [run.index_bytes])),
        "open": fit(each(lambda run: [run.open])),
        "search": fit(each(lambda run: run.search)),
        "search_p95": fit(each(lambda run: run.search), p95),
        "read": fit(reading),
        "read_p95": fit(reading, p95),
    }


def _measured(runs: Sequence[UnitCosts]) -> str:
    first = runs[0]
    search = [cost for run in runs for cost in run.search]
    read = [cost for run in runs for cost in run.read]
    cells = (
        f"{first.documents:,}",
        f"{first.passages:,}",
        f"{median(run.parse for run in runs):.1f}",
        f"{median(run.index for run in runs):.1f}",
        f"{median(run.megabytes for run in runs):,.0f}",
        f"{first.document_bytes / 1e6:,.1f}",
        f"{first.index_bytes / 1e6:,.1f}",
        f"{1000 * median(run.open for run in runs):,.0f}",
        f"{1000 * mean(search):.2f}",
        f"{1000 * p95(search):.2f}",
        f"{mean(read):.2f}" if read else "–",
        f"{p95(read):.2f}" if read else "–",
    )
    return f"| {' | '.join(cells)} |"


def _grown(growth: dict[str, Growth]) -> Iterator[str]:
    for name, one in growth.items():
        low, high = one.exponent_interval()
        is_size = name.endswith("bytes")
        at = f"{one.at(MILLION) / 1e6:,.0f} MB" if is_size else f"{one.at(MILLION):,.4g} s"
        words = name.replace("_", " ")
        yield f"| {words} | {at} | {one.exponent:.2f} | {low:.2f} – {high:.2f} |"


def _projected(name: str, one: Projection) -> str:
    return (
        f"| {one.passages:,} | {name} | {one.core_hours:,.1f} | {one.machines} "
        f"| {one.build_hours:,.1f} | {one.stored_bytes / 1e9:,.0f} GB | {one.shards} "
        f"| {one.p95:.2f} s | {one.bottleneck} |"
    )
