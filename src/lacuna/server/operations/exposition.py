"""Counters, gauges and histograms, and how Prometheus reads them: its text format, version 0.0.4.

Written here because it is small, and no package of the default install brings it. A metric's label
values come from lists of ours, never from a client, so that nobody can make them many.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds of a histogram of seconds."""


class Counter:
    """Counts up, for each combination of its labels.

    >>> asked = Counter("asked_total", "Questions.", ("kind",))
    >>> asked.add("ask")
    >>> print(*asked.lines(), sep="\\n")
    # HELP asked_total Questions.
    # TYPE asked_total counter
    asked_total{kind="ask"} 1
    """

    def __init__(self, name: str, about: str, labels: Sequence[str] = ()) -> None:
        self._name = name
        self._about = about
        self._labels = labels
        self._counts: dict[tuple[str, ...], int] = {}
        self._lock = threading.Lock()

    def add(self, *values: str) -> None:
        """Count one."""
        with self._lock:
            self._counts[values] = self._counts.get(values, 0) + 1

    def lines(self) -> Iterator[str]:
        """As Prometheus reads it."""
        with self._lock:
            counts = dict(self._counts)
        yield from _head(self._name, self._about, "counter")
        for values, count in sorted(counts.items()):
            yield f"{self._name}{_labels(self._labels, values)} {count}"


class Gauge:
    """A number that is looked up when it is asked for."""

    def __init__(self, name: str, about: str, value: Callable[[], float]) -> None:
        self._name = name
        self._about = about
        self._value = value

    def lines(self) -> Iterator[str]:
        """As Prometheus reads it."""
        yield from _head(self._name, self._about, "gauge")
        yield f"{self._name} {self._value():g}"


class Histogram:
    """How many seconds something took, for each value of its label."""

    def __init__(self, name: str, about: str, label: str) -> None:
        self._name = name
        self._about = about
        self._label = label
        self._seen: dict[str, tuple[list[int], float]] = {}
        self._lock = threading.Lock()

    def observe(self, value: str, seconds: float) -> None:
        """Something of this kind took so long."""
        with self._lock:
            counts, total = self._seen.get(value) or ([0] * (len(SECONDS) + 1), 0.0)
            counts[bisect_left(SECONDS, seconds)] += 1
            self._seen[value] = (counts, total + seconds)

    def lines(self) -> Iterator[str]:
        """As Prometheus reads it: each bucket counts all that took no longer."""
        with self._lock:
            seen = {value: (list(counts), total) for value, (counts, total) in self._seen.items()}
        yield from _head(self._name, self._about, "histogram")
        for value, (counts, total) in sorted(seen.items()):
            so_far = 0
            for bound, count in zip((*SECONDS, float("inf")), counts, strict=True):
                so_far += count
                shown = "+Inf" if bound == float("inf") else f"{bound:g}"
                labels = _labels((self._label, "le"), (value, shown))
                yield f"{self._name}_bucket{labels} {so_far}"
            labels = _labels((self._label,), (value,))
            yield f"{self._name}_sum{labels} {total:.6f}"
            yield f"{self._name}_count{labels} {so_far}"


def _head(name: str, about: str, kind: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def _labels(names: Sequence[str], values: Sequence[str]) -> str:
    pairs = (f'{name}="{_escaped(value)}"' for name, value in zip(names, values, strict=True))
    inside = ",".join(pairs)
    return f"{{{inside}}}" if inside else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
