"""Arrays in files of numpy's format, mapped into memory.

``numpy.load`` parses the header as Python, which several threads cannot do at once in every
version of Python; what is written here needs no parser.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

MAGIC = b"\x93NUMPY\x01\x00"
HEADER = re.compile(
    rb"\{'descr': '([<>|=][a-z]\d+)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n"
)


def map_array(path: Path) -> npt.NDArray[Any]:
    """Map a file that ``numpy.save`` wrote; ValueError if it holds anything but numbers."""
    with path.open("rb") as file:
        magic, size = file.read(len(MAGIC)), int.from_bytes(file.read(2), "little")
        found = HEADER.fullmatch(file.read(size))
        start = file.tell()
    if magic != MAGIC or found is None:
        raise ValueError(f"{path} is no array of numbers")
    shape = tuple(int(number) for number in found[2].replace(b",", b" ").split())
    return np.memmap(path, np.dtype(found[1].decode()), "r", start, shape)
