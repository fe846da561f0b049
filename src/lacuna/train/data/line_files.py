"""Training files with one object a line, read one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna.files.json_stream import JsonItems, Shape
from lacuna.files.opening import open_text
from lacuna.train.data.lines import boolq, qed, snli, squad_twins, strategyqa, synthetic, zre
from lacuna.types import Question

LineFormat = Callable[[Fields, int], Question]
"""From the object of a line, and the line's number, to its question."""

LINE_FORMATS: dict[str, LineFormat] = {
    "boolq": boolq.decode,
    "qed": qed.decode,
    "snli": snli.decode,
    "squad_twins": squad_twins.decode,
    "strategyqa": strategyqa.decode,
    "synthetic": synthetic.decode,
    "zre": zre.decode,
}


def read_lines(
    path: Path, decode: LineFormat, left_out: Counter[str], reason: str
) -> Iterator[Question]:
    """The questions of a file; broken lines are counted under the reason."""
    with open_text(path) as source:
        for raw in JsonItems(source, Shape.LINES):
            try:
                if raw.problem:
                    raise raw.problem
                question = decode(Fields(raw.value), raw.number)
            except BadField:
                left_out[reason] += 1
            else:
                yield question
