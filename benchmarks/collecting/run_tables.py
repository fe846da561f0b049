"""What a run has shown, as the tables of ``results/collect.md``: they can be pasted as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import quantiles

WAITING_HEAD = (
    "| server | request | answered | p50 | p95 | p99 | longest |",
    "|---|---|---|---|---|---|---|",
)
SHOWN_AS = {
    "save": "save",
    "submit": "hand in",
    "next": "next set",
    "open": "open it",
    "console": "console",
}
"""Requests in the order of the table, as people would call them."""


def waiting_rows(what: str, seconds: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """A row for each kind of request of one part of a run."""
    for kind, shown in SHOWN_AS.items():
        if not (took := seconds.get(kind)):
            continue
        cuts = quantiles(took, n=100, method="inclusive") if took[1:] else list(took) * 99
        waits = (cuts[49], cuts[94], cuts[98], max(took))
        cells = " | ".join(f"{1000 * wait:,.0f} ms" for wait in waits)
        yield f"| {what} | {shown} | {len(took):,} | {cells} |"
        what = ""
